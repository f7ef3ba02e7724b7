/// task.kind = "dataset": a finite set of P samples, drawn once from another task or loaded from an npz file. Training
/// reads it in shuffled epochs (or whole, dynamics.batch = "full").
///   drawn    balance·P samples of the first class, the others of the second; the law (moments, evaluation samples) stays
///            that of the task they were drawn from, so loss is the loss on new samples, train_loss that on the set
///   loaded   x [P, n], [P, h, w] or [P, 3, h, w] with labels y [P] (own_set.hpp). A share `test` of the rows is kept apart for evaluation.
///            The law is the empirical one: class 0 are the rows whose label lies above the midpoint of the extreme labels,
///            samples of a class are its rows with replacement
///   given    the same of arrays x and y that the program around the library has (spec/given.hpp): path = "arrays:" and the SHA-256 of what they hold
#pragma once

#include <memory>
#include <string>

#include "sluice/task/registry.hpp"
#include "sluice/task/same_inputs.hpp"

namespace sluice::task {

struct DatasetOptions final : Options {
  std::string path;  // empty: drawn; "arrays:3f…": given
  // drawn
  std::int64_t samples = 1000;
  Section from{"nlgp"};
  // loaded
  std::string x = "x";
  std::string y = "y";
  std::string layout = "auto";
  std::vector<std::int64_t> shape;  // h, w or 3, h, w of rows that are flat; empty: as x has them
  std::string target = "auto";
  double test = 0.0;
  std::string checksum;
  // both
  std::int64_t seed = 0;

  void describe(spec::Keys& keys) override;
  void resolve(const std::filesystem::path& folder) override;
  std::unique_ptr<Task> make() const override;
  /// Of arrays that are given, the SHA-256 they are known by; empty elsewhere.
  std::string mark() const;
  /// What messages call it: the file, or "arrays".
  std::string name() const { return mark().empty() ? path : "arrays"; }
  std::int64_t dimensions() const override {
    return path.empty() ? from.dimensions() : layout == "torus" ? 2 : 1;
  }
};

/// The first samples of a task for some purpose: the share `balance`, rounded, of the first class, then the others.
FiniteSet draw_set(const Task& law, std::int64_t samples, std::uint64_t seed, math::Purpose purpose);

/// A set drawn from a task.
class DrawnSet final : public SameInputs {
 public:
  DrawnSet(std::unique_ptr<Task> law, std::int64_t samples, std::uint64_t seed);

  std::unique_ptr<Labeler> labeler() const override { return law().labeler(); }
  const FiniteSet* training_set() const override { return &set_; }

 private:
  FiniteSet set_;
};

/// A set that came from elsewhere.
class LoadedSet final : public Task {
 public:
  /// A share `test` of the rows is kept apart. Throws InputError when that leaves one class without training rows.
  LoadedSet(FiniteSet all, const Layout& layout, double test, std::uint64_t seed);
  /// An empty test set means that evaluation is on the training set.
  LoadedSet(FiniteSet training, FiniteSet test, const Layout& layout);

  std::int64_t inputs() const override { return training_.inputs; }
  Layout layout() const override { return layout_; }
  std::int64_t dimensions() const override { return layout_.kind == Layout::Kind::torus ? 2 : 1; }
  bool even() const override { return false; }
  bool stationary() const override { return false; }
  Moments moments(int which_class) const override;
  void sample(const math::Address& first, int which_class, const math::Lanes& x,
              const math::Lanes& scratch) const override;
  std::vector<std::string> remarks() const override;
  const FiniteSet* training_set() const override { return &training_; }
  /// The training set itself when nothing was kept apart.
  const FiniteSet* test_set() const override { return test_.size() > 0 ? &test_ : &training_; }

 private:
  void sort_by_class();

  FiniteSet training_;
  FiniteSet test_;
  Layout layout_;
  std::array<std::vector<std::int64_t>, 2> rows_;  // of the training set, by class
};

}  // namespace sluice::task
