/// sluice kernel.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "sluice/cli/check_number.hpp"
#include "sluice/cli/one_of.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/shared_options.hpp"
#include "sluice/cli/source_options.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/npy.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/file/place.hpp"
#include "sluice/lab/kernel_matrix.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::cli {
namespace of_kernel {
namespace {

struct Arguments {
  lab::Source source;
  lab::KernelOptions options;
  std::string out;
  bool overwrite = false;
  bool json = false;
};

void print_json(const Arguments& arguments, const lab::KernelMatrix& result) {
  file::Json json{{"kind", arguments.options.kind},
                  {"samples", result.matrix.n},
                  {"seconds", result.seconds},
                  {"mean_diagonal", result.mean_diagonal}};
  if (result.spectrum) {
    json["smallest_eigenvalue"] = result.spectrum->smallest;
    json["largest_eigenvalue"] = result.spectrum->largest;
    json["condition"] = result.spectrum->condition;
    json["alignment"] = result.spectrum->alignment;
  }
  if (!arguments.out.empty()) json["file"] = arguments.out;
  print(fmt::format("{}\n", json.dump(2)));
}

void print_numbers(const lab::KernelMatrix& result) {
  print(fmt::format("trace/n     {:.6g}\n", result.mean_diagonal));
  if (!result.spectrum) return;
  print(fmt::format("eigenvalues {:.6g} … {:.6g}\ncondition   {:.4g}\nν = y'H⁻¹y  {:.6g}   H = K/tr K\n",
                    result.spectrum->smallest, result.spectrum->largest, result.spectrum->condition,
                    result.spectrum->alignment));
}

int kernel_of(Arguments& arguments) {
  if (!arguments.out.empty()) file::require_place(arguments.out, {".npy"}, arguments.overwrite);
  const lab::KernelMatrix result = lab::kernel_matrix(lab::load(arguments.source), arguments.options);
  if (!arguments.json) {
    print(fmt::format("{} kernel of {} samples in {:.2f} s\n", arguments.options.kind, result.matrix.n,
                      result.seconds));
    print_numbers(result);
  }
  if (!arguments.out.empty())
    file::write_npy(arguments.out, {{result.matrix.n, result.matrix.n}, result.matrix.values},
                    file::if_taken(arguments.overwrite));
  if (arguments.json)
    print_json(arguments, result);
  else if (!arguments.out.empty())
    print(fmt::format("{}\n", arguments.out));
  return kSuccess;
}

}  // namespace
}  // namespace of_kernel

void add_kernel(App& app, Action& action) {
  using namespace of_kernel;
  App* verb = app.add_subcommand("kernel", "Gram matrix of a deep gated network over its training set");
  auto arguments = std::make_shared<Arguments>();
  arguments->options.threads = math::hardware_threads();
  add_source(*verb, arguments->source, "SPEC")->required();
  add_seed(*verb, arguments->source);
  verb->add_option("--kind", arguments->options.kind, "tangent, strength, gates, paths or overlap")
      ->check(one_of(lab::kernel_kinds()))
      ->type_name("NAME")
      ->capture_default_str();
  verb->add_option("--samples", arguments->options.samples, "The first N training samples (default: all)")
      ->check([](const std::string& text) {
        return check_number<std::int64_t>(text, 1, 1'000'000, "an integer from 1 to 1000000");
      })
      ->type_name("N");
  verb->add_option("--from", arguments->options.from,
                   "A finished run: its layers instead of the initial ones")
      ->type_name("RUN");
  verb->add_option("--out", arguments->out, "Write the matrix, float32 [n, n], as .npy")->type_name("FILE");
  add_overwrite(*verb, arguments->overwrite);
  add_threads(*verb, arguments->options.threads);
  verb->add_flag("--json", arguments->json, "Print the numbers as JSON");
  verb->footer(
      "Examples:\n"
      "  sluice kernel depth-frg --set network.depth=8\n"
      "  sluice kernel digits-relu --samples 10000 --out K.npy\n"
      "  sluice kernel digits-relu --from runs/digits-relu --kind paths --samples 200");
  verb->callback([&action, arguments] { action = [arguments] { return kernel_of(*arguments); }; });
}

}  // namespace sluice::cli
