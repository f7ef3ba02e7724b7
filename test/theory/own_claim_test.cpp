/// Claims of the user's own: true ones hold, false ones fail, and what cannot be understood is refused in one line.
#include "sluice/theory/own_claim.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/theory/respond.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::theory {
namespace {

constexpr std::int64_t kSamplesOfOwn = 60'000;

/// A claim file of this text, in a folder of its own.
class Written {
 public:
  explicit Written(const std::string& text) : path_(folder_.path() / "own.toml") {
    std::ofstream(path_) << text;
  }

  const std::filesystem::path& path() const { return path_; }
  OwnClaim claim() const { return OwnClaim(read_claim_file(path_)); }
  std::vector<Measured> measured(std::int64_t samples = kSamplesOfOwn) const {
    math::Workers workers(2);
    const Sampler sampler(samples, 1, workers);
    const OwnClaim own = claim();
    std::vector<Measured> all;
    for (std::size_t i = 0; i < own.size(); ++i) all.push_back(own.measure(i, sampler));
    return all;
  }
  /// What is said about it, without the folder.
  std::string refusal() const {
    try {
      measured(10'000);
    } catch (const InputError& error) {
      std::string message = error.what();
      const std::string folder = folder_.path().string() + "/";
      for (std::size_t at = 0; (at = message.find(folder)) != std::string::npos;)
        message.erase(at, folder.size());
      return message;
    }
    return "";
  }

 private:
  test::TempFolder folder_;
  std::filesystem::path path_;
};

const std::string kGaussianTask = "[task]\nkind = \"gaussian\"\nn = 8\nxi = [1.6, 0.8]\n";

/// kGaussianTask, a vector w and an expectation of these lines: "own.toml:8" is the first of them.
Written expecting(const std::string& lines) {
  return Written(kGaussianTask + "[symbols]\nw = { law = \"normal\", seed = 3 }\n[[expect]]\n" + lines);
}

Outcome outcome_of_one(const Written& written, std::int64_t samples = kSamplesOfOwn) {
  const std::vector<Measured> all = written.measured(samples);
  EXPECT_EQ(all.size(), 1U);
  return all.front().outcome;
}

TEST(OwnClaim, ATrueOneHolds) {
  for (const char* lines : {
           "class = 1\nmean = \"step(dot(w,x))*x\"\nequals = \"C1*w/sqrt(2*pi*dot(w, C1*w))\"\n",
           "class = 0\nmean = \"1(⟨w,x⟩ ≥ 0)·x\"\nequals = \"C0*w/√(2·π·(w'*C0*w))\"\n",
           "class = 0\nmean = \"step(dot(w,x))*x\"\nequals = \"f0(w)\"\n",
           "class = 1\nmean = \"step(dot(w,x))*x\"\nequals = \"f1(w)\"\nsymmetries = true\n",
           "class = 1\nmean = \"outer(x, x)\"\nequals = \"C1\"\n",
           "class = 0\nmean = \"x*x'\"\nequals = \"C0\"\n",
           "class = 1\nmean = \"x\"\nequals = 0\n",
           "class = 1\nmean = \"x\"\nequals = \"0*w\"\n",
           "class = 1\nmean = \"x[0]^4\"\nequals = 3\n",
           "class = \"both\"\nmean = \"y*step(dot(w,x))*x\"\nequals = \"f1(w)/2\"\n",
           "class = \"both\"\nmean = \"step(dot(w,x))*relu(dot(w,x))*x\"\nequals = \"(C0 + C1)*w/4\"\n",
           "class = 1\nmean = \"1(x[0] > 0)*1(x[1] > 0)\"\nequals = \"1/4 + arcsin(C1[0,1])/(2*pi)\"\n",
           "class = 1\nmean = \"Phi(x[0])\"\nequals = 0.5\n",
           "class = 1\nmean = \"relu(x)\"\nequals = \"ones/sqrt(2*pi)\"\n",
           "class = 1\nmean = \"dot(x, inv(C1 + 0.1*I)*x)\"\nequals = \"trace(inv(C1 + 0.1*I)*C1)\"\n",
           "class = 1\nmean = \"x[0]*x[1]\"\nequals = \"C1[0,1]\"\nprinted = \"C0[0,1]\"\n",
       }) {
    const Written written = expecting(lines);
    const std::vector<Measured> all = written.measured();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_TRUE(is_good(all[0].outcome))
        << lines << to_string(all[0].outcome) << ", " << all[0].finding->evidence;
    EXPECT_NE(all[0].outcome, Outcome::measured);
  }
}

/// Squares of 1e±160 are no numbers any more; what is claimed of the mean is the same.
TEST(OwnClaim, SizesDoNotMatter) {
  const std::string zero = "class = 1\nmean = \"{0}*x[0]\"\nequals = 0\n";
  const std::string vector = "class = \"both\"\nmean = \"{0}*(x + 1)\"\nequals = \"{1}*ones\"\n";
  const Measured ordinary = expecting(fmt::format(fmt::runtime(zero), "1")).measured()[0];
  for (const double size : {1e160, 1e200, 1e300, 1e-140, 1e-170, 1e-200, 1e-300}) {
    const std::string factor = fmt::format("{}", size);
    const Measured found = expecting(fmt::format(fmt::runtime(zero), factor)).measured()[0];
    EXPECT_EQ(found.outcome, Outcome::holds) << factor;
    EXPECT_NEAR(found.means.mean[0] / size, ordinary.means.mean[0], 1e-15);
    EXPECT_NEAR(found.means.standard_error[0] / size, ordinary.means.standard_error[0], 1e-12);
    EXPECT_EQ(outcome_of_one(expecting(fmt::format(fmt::runtime(vector), factor, factor))), Outcome::holds);
    EXPECT_EQ(
        outcome_of_one(expecting(fmt::format(fmt::runtime(vector), factor, fmt::format("{}", 1.1 * size)))),
        Outcome::fails);
  }
}

TEST(OwnClaim, AFalseOneDoesNot) {
  const std::string mean = "class = 1\nmean = \"step(dot(w,x))*x\"\n";
  const std::string truth = "equals = \"C1*w/sqrt(2*pi*dot(w, C1*w))\"\n";
  EXPECT_EQ(outcome_of_one(expecting(mean + "equals = \"C1*w/sqrt(2*dot(w, C1*w))\"\n")), Outcome::fails);
  EXPECT_EQ(outcome_of_one(expecting(mean + "equals = \"C0*w/sqrt(2*pi*dot(w, C0*w))\"\n")), Outcome::fails);
  EXPECT_EQ(outcome_of_one(expecting(mean + "equals = 0\n")), Outcome::fails);
  const Measured factor = expecting(mean + "equals = \"-C1*w/sqrt(2*dot(w, C1*w))\"\n").measured()[0];
  EXPECT_NEAR(factor.factor->value, -1 / std::sqrt(std::numbers::pi), 4 * factor.factor->standard_error);
  const Measured number = expecting("class = 1\nmean = \"x[0]^2\"\nequals = -2\n").measured()[0];
  EXPECT_NEAR(number.factor->value, -0.5, 4 * number.factor->standard_error);
  EXPECT_EQ(outcome_of_one(expecting(mean + truth + "printed = \"C1*w/sqrt(2*dot(w, C1*w))\"\n")),
            Outcome::printed_refuted);
  EXPECT_EQ(outcome_of_one(expecting(mean + truth + "printed = \"1.001*C1*w/sqrt(2*pi*dot(w, C1*w))\"\n")),
            Outcome::printed_stands);
  EXPECT_EQ(outcome_of_one(expecting("class = 1\nmean = \"1000*x[0] + 1\"\nequals = 1\n")),
            Outcome::no_power);
}

/// A form that is off by the resolution is caught on nearly every seed, one off by a fifth of it on none.
TEST(OwnClaim, ResolutionIsWhatIsCaught) {
  const std::string lines = "class = 1\nmean = \"step(dot(w,x))*x\"\nequals = \"{}*f1(w)\"\n";
  const double resolution = *expecting(fmt::format(fmt::runtime(lines), 1)).measured()[0].finding->resolution;
  EXPECT_LT(resolution, 0.1);
  EXPECT_EQ(outcome_of_one(expecting(fmt::format(fmt::runtime(lines), 1 + 2 * resolution))), Outcome::fails);
  EXPECT_EQ(outcome_of_one(expecting(fmt::format(fmt::runtime(lines), 1 + resolution / 5))), Outcome::holds);
}

TEST(OwnClaim, MeasuresWithoutAClaim) {
  const std::vector<Measured> all = expecting("class = 1\nmean = \"relu(x)\"\n").measured();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].outcome, Outcome::measured);
  EXPECT_EQ(all[0].shape, (math::Shape{8, 1}));
  ASSERT_EQ(all[0].means.mean.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(all[0].means.mean[i], 1 / std::sqrt(2 * std::numbers::pi),
                4 * all[0].means.standard_error[i]);
}

/// The same samples and numbers as a check that is written in C++.
TEST(OwnClaim, SeesWhatAClaimOfTheNotesSees) {
  const Written written(kGaussianTask +
                        "[symbols]\nw = [1, -2, 0.5, 0, 0, 3, 1, 1]\n[[expect]]\nclass = 0\n"
                        "mean = \"step(dot(w,x))*x\"\nequals = \"f0(w)\"\n");
  const Vector w{1, -2, 0.5, 0, 0, 3, 1, 1};
  math::Workers workers(2);
  const Means direct =
      sampled_response(Sampler(kSamplesOfOwn, 1, workers), gaussian_data(8, 1.6, 0.8), Label::zero, w);
  const Vector f = respond(gaussian_response(gaussian_data(8, 1.6, 0.8).zero), w);
  const Measured own = written.measured()[0];
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_DOUBLE_EQ(own.means.mean[i], direct.mean[i]);
    EXPECT_DOUBLE_EQ(own.means.standard_error[i], direct.standard_error[i]);
    EXPECT_NEAR((*own.stated)[i], f[i], 1e-14);
  }
}

TEST(OwnClaim, KnowsItsTask) {
  // nlgp: E[X_0 X_1] = C1, P(X_0 > 0, X_1 > 0) by the latent correlation; balance and labels in mixtures
  const Written nlgp(
      "[task]\nkind = \"nlgp\"\nn = 8\nxi = [2, 1]\ngain = 3\nbalance = 0.25\nlabels = [2, -1]\n[symbols]\nr "
      "= \"exp(-1/xi1^2)\"\n"
      "q = \"2*g^2/(1 + 2*gain^2)\"\n[[expect]]\nclass = 1\nmean = \"x[0]*x[1]\"\nequals = "
      "\"arcsin(q*r)/arcsin(q)\"\n"
      "[[expect]]\nclass = \"both\"\nmean = \"y\"\nequals = \"balance*labels1 + (1 - balance)*labels0\"\n"
      "[[expect]]\nclass = 1\nmean = \"step(x[2])*x\"\nequals = \"f1(e(2))\"\n");
  for (const Measured& each : nlgp.measured())
    EXPECT_EQ(each.outcome, Outcome::holds) << each.mean << ": " << each.finding->evidence;
  // pulse: the mean is not zero, C1 is E[XX']
  const Written pulse(
      "[task]\nkind = \"pulse\"\nn = 20\n[[expect]]\nclass = 1\nmean = \"x\"\nequals = \"m1*ones\"\n"
      "[[expect]]\nclass = 0\nmean = \"x*x'\"\nequals = \"C0\"\n");
  for (const Measured& each : pulse.measured())
    EXPECT_EQ(each.outcome, Outcome::holds) << each.mean << ": " << each.finding->evidence;
  const Written torus(
      "[task]\nkind = \"gaussian\"\nn = 4\ndim = 2\n[[expect]]\nclass = 1\nmean = \"x*x'\"\nequals = "
      "\"C1\"\n");
  EXPECT_EQ(outcome_of_one(torus), Outcome::holds);
}

TEST(OwnClaim, SymbolsAreNumbersListsFilesDrawsAndFormulas) {
  const Written written(kGaussianTask + "[symbols]\na = 2\nu = [1, 0, 0, 0, 0, 0, 0, 1]\nz = \"a*u + k\"\n");
  EXPECT_EQ(written.refusal(), "own.toml:1: expect: expected something to measure, under a line [[expect]]");
  test::TempFolder folder;
  file::write_npy(folder.path() / "k.npy", {{8}, std::vector<float>(8, 0.5F)});
  file::write_npy(folder.path() / "M.npy", {{2, 8}, std::vector<double>(16, 0.25)});
  const std::filesystem::path path = folder.path() / "own.toml";
  std::ofstream(path)
      << kGaussianTask +
             "[symbols]\nz1 = 2\nu = [1, 0, 0, 0, 0, 0, 0, 1]\nk = \"k.npy\"\nA = \"z1*u + k\"\nM = "
             "\"M.npy\"\n"
             "R = [[1, 2], [3, 4]]\nb = { law = \"bump\", width = 1 }\n"
             "[[expect]]\nclass = 1\nmean = \"0*x + A\"\nequals = [2.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 2.5]\n"
             "[[expect]]\nclass = 1\nmean = \"R*(M*(0*x + ones)) + 0*x[0]\"\nequals = [6, 14]\n"
             "[[expect]]\nclass = 1\nmean = \"norm(b) + 0*y\"\nequals = 1\n";
  math::Workers workers(1);
  const Sampler sampler(10'000, 1, workers);
  const OwnClaim claim(read_claim_file(path));
  for (std::size_t i = 0; i < claim.size(); ++i)
    EXPECT_EQ(claim.measure(i, sampler).outcome, Outcome::holds) << i;
}

TEST(OwnClaim, IsRefusedInOneLineThatNamesFileLineAndKey) {
  const std::string task = kGaussianTask;
  const std::string expect = "[[expect]]\nclass = 1\nmean = \"x\"\n";
  const std::vector<std::pair<std::string, std::string>> all{
      {"",
       "own.toml: task.kind: missing key; expected one of \"nlgp\", \"gaussian\", \"gaussian-clone\", "
       "\"student-t\", \"shell\", "
       "\"scale-mixture\", \"norta\", \"ising\", \"pulse\", \"block\""},
      {"[task\n", "own.toml:1: not valid TOML: Error while parsing table header: expected ']', saw '\\n'"},
      {"[task]\nkind = \"gausian\"\n", ""},
      {"[task]\nkind = \"gaussian\"\nn = -3\n",
       "own.toml:3: task.n = -3: expected an integer from 2 to 1048576"},
      {"[task]\nkind = \"gaussian\"\ngain = 3\n", ""},
      {"[task]\nkind = \"mnist\"\n", ""},
      {"[task]\nkind = \"gaussian\"\nn = 2000\n" + expect,
       "own.toml:3: task.n = 2000: expected at most 1024 sites in a claim"},
      {task + "[symbol]\nw = 1\n" + expect, "own.toml:5: symbol: unknown key; did you mean 'symbols'?"},
      {task + "[symbols]\nw = true\n" + expect,
       "own.toml:6: symbols.w = true: expected a number, a list of numbers, rows of numbers of equal length, "
       "a table or a formula in quotes"},
      {task + "[symbols]\nw = { law = \"nomal\" }\n" + expect, ""},
      {task + "[symbols]\nw = { law = \"file\", path = \"w.npy\" }\n" + expect,
       "own.toml:6: symbols.w.law = 'file': expected another law; a file is named alone, \"w.npy\""},
      {task + "[symbols]\nw = { seeed = 3 }\n" + expect,
       "own.toml:6: symbols.w.seeed: unknown key; did you mean 'seed'?"},
      {task + "[symbols]\nw = \"v/norm(v)\"\nv = [1, 0]\n" + expect,
       "own.toml:6: symbols.w: column 1: no symbol 'v'; there are x, y, n, ones, I, C1, m1, C0, m0, xi1, "
       "xi0, labels1, labels0, balance, pi, inf"},
      {task + "[symbols]\nw = \"x\"\n" + expect,
       "own.toml:6: symbols.w: expected a formula without x and y; mean alone has them"},
      {task + "[symbols]\nn = 3\n" + expect,
       "own.toml:6: symbols.n: expected another name; n is there already"},
      {task + "[symbols]\npi = 3\n" + expect,
       "own.toml:6: symbols.pi: expected another name; pi is there already"},
      {task + "[symbols]\ndot = 3\n" + expect,
       "own.toml:6: symbols.dot: expected another name; dot is a function"},
      {task + "[symbols]\nf1 = 3\n" + expect,
       "own.toml:6: symbols.f1: expected another name; f1 is a function"},
      {task + "[symbols]\n\"w-1\" = 3\n" + expect,
       "own.toml:6: symbols.w-1: expected a name of letters, digits and underscores"},
      {task + "[symbols]\nw = \"missing.npy\"\n" + expect, ""},
      {task + "[expect]\nmean = \"x\"\n", ""},
      {task, "own.toml:1: expect: expected something to measure, under a line [[expect]]"},
      {task + "[[expect]]\nmean = \"x\"\n",
       "own.toml:5: expect.class: expected 1 (the first ξ), 0 (the second) or \"both\""},
      {task + "[[expect]]\nclass = 2\nmean = \"x\"\n",
       "own.toml:6: expect.class = 2: expected \"both\" or 1 (the first ξ) or 0 (the second)"},
      {task + "[[expect]]\nclass = \"all\"\nmean = \"x\"\n",
       "own.toml:6: expect.class = 'all': expected \"both\" or 1 (the first ξ) or 0 (the second)"},
      {task + "[[expect]]\nclass = 1\n",
       "own.toml:5: expect.mean: expected a formula in quotes, for example \"step(dot(w, x)) * x\""},
      {task + "[[expect]]\nclass = 1\nmean = 3\n",
       "own.toml:7: expect.mean = 3: expected a formula in quotes, for example \"step(dot(w, x)) * x\""},
      {task + expect + "equal = 0\n", "own.toml:8: expect.equal: unknown key; did you mean 'equals'?"},
      {task + expect + "printed = 0\n",
       "own.toml:8: expect.printed = 0: expected equals beside it: what is true instead"},
      {task + expect + "equals = 1\n", "own.toml:8: expect.equals: a number, but the mean is a vector of 8"},
      {task + expect + "equals = [1, 2]\n",
       "own.toml:8: expect.equals: a vector of 2, but the mean is a vector of 8"},
      {task + expect + "equals = \"x\"\n",
       "own.toml:8: expect.equals: expected a formula without x and y; mean alone has them"},
      {task + expect + "equals = \"C1*(\"\n",
       "own.toml:8: expect.equals: column 5: expected a number, a name or '(', found the end"},
      {task + expect + "equals = \"log(-1)*ones\"\n",
       "own.toml:8: expect.equals: expected finite numbers; something in it is infinite or not a number"},
      {task + "[[expect]]\nclass = 1\nmean = \"log(x)\"\n",
       "own.toml:7: expect.mean: is not a finite number on some samples (log, sqrt or a quotient?)"},
      {task + "[[expect]]\nclass = 1\nmean = \"C1*C1*ones + w\"\n", ""},
      {"[task]\nkind = \"gaussian\"\nn = 200\n[[expect]]\nclass = 1\nmean = \"x*x'\"\n",
       "own.toml:6: expect.mean: 40000 components: expected at most 10000"},
      {"[task]\nkind = \"pulse\"\n[[expect]]\nclass = 1\nmean = \"x\"\nsymmetries = true\n",
       "own.toml:6: expect.symmetries = true: expected false: the law of this task is not the same for −x "
       "and after a shift along a ring"},
      {"[task]\nkind = \"norta\"\nn = 8\n[[expect]]\nclass = 1\nmean = \"step(x[0])*x\"\nequals = "
       "\"f1(e(0))\"\n",
       "own.toml:7: expect.equals: f1: no exact response of norta is known for this vector"},
      {"[task]\nkind = \"nlgp\"\nn = 8\n[[expect]]\nclass = 1\nmean = \"x\"\nequals = \"f1(3*e(0) + 2*e(1) + "
       "e(2))\"\n",
       "own.toml:7: expect.equals: f1: no exact response of nlgp is known for this vector"},
      {"[task]\nkind = \"block\"\n[[expect]]\nclass = 1\nmean = \"x*x'\"\nequals = \"C1\"\n", ""},
  };
  for (const auto& [text, message] : all) {
    const std::string said = Written(text).refusal();
    EXPECT_FALSE(said.empty()) << text;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    EXPECT_TRUE(said.find("own.toml") != std::string::npos || said.find(".npy") != std::string::npos) << said;
    if (!message.empty()) {
      EXPECT_EQ(said, message) << text;
    }
  }
}

}  // namespace
}  // namespace sluice::theory
