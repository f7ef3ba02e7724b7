/// A TOML document that remembers where each value came from, so that an error can name file, line and key.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sluice/file/cell.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/spec/keys.hpp"
#include "sluice/spec/open_keys.hpp"

namespace sluice::spec {

/// A key that nobody reads; `hinted` where the message names one beside it that was probably meant.
class UnknownKey : public InputError {
 public:
  UnknownKey(std::string where, std::string key, const std::string& hint, bool has_near);

  std::string place;  ///< "own.toml:3"
  std::string path;   ///< "task.gian"
  bool hinted;
};

class Document {
 public:
  /// Throws InputError "file:line: …" when the text is not TOML.
  static Document from_text(std::string_view text, const std::string& file);
  static Document from_file(const std::filesystem::path& path);

  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  /// How messages name it.
  const std::string& file() const;

  /// Overrides one key: "task.gain=0.01". The value is read as TOML; what is not TOML is taken as a string.
  /// `origin` is how messages name where the value came from, as they name file and line of the others.
  void set(std::string_view assignment, const std::string& origin = "assignment");

  /// Fills the described values. Throws InputError, one line, at the first unknown key, wrong type or bad value:
  ///   localization.toml:7: task.gain = -3: expected a positive number
  ///   localization.toml:7: task.gian: unknown key; did you mean 'gain'?
  void read(const Describe& describe) const;
  void read_open(const std::function<void(OpenKeys&)>& describe) const;

  /// Every value under its whole key, {"task.gain", 3.0}, in the order of the file and whether or not anybody knows the key. What is
  /// neither a number nor a text is the text that TOML has for it: "true", "[2.0, 1.0]".
  std::vector<std::pair<std::string, file::Cell>> values() const;

 private:
  struct Tree;
  explicit Document(std::unique_ptr<Tree> tree);
  std::unique_ptr<Tree> tree_;
};

}  // namespace sluice::spec
