/// The families of networks a spec can name. Adding one is a header, a source and a line in registry.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/net/network.hpp"
#include "sluice/net/volume.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::net {

/// What a network stands between.
struct Ends {
  std::int64_t inputs = 0;
  std::int64_t outputs = 1;
  std::int64_t dimensions = 1;      ///< of the sites: a ring or a torus
  Volume volume = {.channels = 0};  ///< as inputs lie beside each other; without channels: in no order
};

/// A run folder must reproduce itself, also after the files it started from are gone: how the names of the parts that came from
/// files begin, and the name of the copy that the folder keeps of them.
struct KeptStart {
  std::string file = {};
  std::vector<std::string_view> parts = {};

  bool holds(const Part& part) const;
};

/// The keys of one family.
class Options {
 public:
  virtual ~Options() = default;

  virtual void describe(spec::Keys& keys) = 0;
  /// Makes paths absolute, taken relative to the spec's folder.
  virtual void resolve(const std::filesystem::path&) {}
  /// Throws InputError when the keys do not fit the ends.
  virtual std::unique_ptr<Network> make(const Ends& ends) const = 0;

  /// What of the start came from files, and starting from its copy in the run folder instead: that file, or another with its parts.
  virtual KeptStart kept_start() const { return {}; }
  virtual void start_from_kept(const std::string& /*file*/) {}

  /// What a user should be told of the start, one line each.
  virtual std::vector<std::string> remarks() const { return {}; }
  /// Over how many units the output is a fixed mean, (1/K) Σ_k: the gradient of each is that much smaller. 1 where it is none.
  virtual std::int64_t units_sharing_output() const { return 1; }
  /// What is watched when the spec does not say.
  virtual std::vector<std::string> usual_probes() const { return {"loss", "accuracy", "weights", "ipr"}; }
  /// Kernels and gates can be watched, and have their keys in [probe].
  virtual bool has_kernels() const { return false; }
};

/// Every kind with one line on what it is.
spec::Choices kinds();

/// The [network] section: the kind, then the keys of that kind.
class Section {
 public:
  Section();
  explicit Section(const std::string& kind);

  void describe(spec::Keys& keys);
  const std::string& kind() const { return kind_; }
  Options& options() { return *options_; }
  const Options& options() const { return *options_; }
  std::unique_ptr<Network> make(const Ends& ends) const { return options_->make(ends); }
  /// The keys of one family, null where the section names another.
  template <class Family>
  const Family* as() const {
    return dynamic_cast<const Family*>(options_.get());
  }

 private:
  std::string kind_;
  std::unique_ptr<Options> options_;
};

}  // namespace sluice::net
