/// sluice sample.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "sluice/cli/check_number.hpp"
#include "sluice/cli/print.hpp"
#include "sluice/cli/shared_options.hpp"
#include "sluice/cli/source_options.hpp"
#include "sluice/cli/style_options.hpp"
#include "sluice/cli/tell.hpp"
#include "sluice/cli/verbs.hpp"
#include "sluice/file/json.hpp"
#include "sluice/lab/samples.hpp"

namespace sluice::cli {
namespace of_sample {
namespace {

struct Arguments {
  lab::Source source;
  std::int64_t count = 0;  // 0: not given
  std::string out;
  bool overwrite = false;
  StyleOptions style;
  bool json = false;
};

int sample(const Arguments& arguments) {
  arguments.style.require_picture(arguments.out);
  const std::string name = lab::short_name(arguments.source.name_or_file);
  lab::Experiment experiment = lab::load(arguments.source);
  lab::SampleOptions options{.out = arguments.out.empty() ? name + ".npz" : arguments.out,
                             .overwrite = arguments.overwrite};
  options.dpi = arguments.style.dpi();
  options.style = arguments.style.style();
  if (arguments.count > 0) options.count = arguments.count;
  options.remark = [&](const std::string& remark) { tell(fmt::format("{}: {}", name, remark)); };
  const lab::Sampled sampled = lab::sample(experiment, options);
  if (arguments.json) {
    const file::Json json{{"file", options.out.string()},
                          {"samples", sampled.samples[0] + sampled.samples[1]},
                          {"first_class", sampled.samples[0]},
                          {"sites", sampled.inputs},
                          {"caption", sampled.caption}};
    print(fmt::format("{}\n", json.dump(2)));
    return kSuccess;
  }
  print(fmt::format("{}: {} + {} samples of {} sites\n{}\n", name, sampled.samples[0], sampled.samples[1],
                    sampled.inputs, options.out.string()));
  if (!sampled.caption.empty()) print(fmt::format("\n{}\n", sampled.caption));
  return kSuccess;
}

}  // namespace
}  // namespace of_sample

void add_sample(App& app, Action& action) {
  using namespace of_sample;
  App* verb = app.add_subcommand("sample", "Draw samples of a task: arrays for NumPy, or a picture");
  auto arguments = std::make_shared<Arguments>();
  arguments->source.kinds_too = true;
  add_source(*verb, arguments->source, "SPEC",
             "A kind of task with its defaults (pulse), a name from `sluice list`, or a TOML file")
      ->required();
  add_seed(*verb, arguments->source);
  verb->add_option("--count", arguments->count,
                   "Samples, the share task.balance of them of the first class (default: 1000; a dataset "
                   "gives its whole training set)")
      ->check([](const std::string& text) {
        return check_number<std::int64_t>(text, 2, 100'000'000, "an integer from 2 to 100000000");
      })
      ->type_name("N");
  verb->add_option("--out", arguments->out,
                   "File to write: .npz (x, y, class), or a picture as .svg, .pdf, .png (default: NAME.npz)")
      ->type_name("FILE");
  add_overwrite(*verb, arguments->overwrite);
  arguments->style.add_to(*verb);
  verb->add_flag("--json", arguments->json, "Print what was written as JSON");
  verb->footer(
      "Examples:\n"
      "  sluice sample pulse\n"
      "  sluice sample nlgp --set task.gain=inf --count 10000 --out nlgp.npz\n"
      "  sluice sample localization --out samples.svg\n"
      "  sluice sample localization --width 120 --font-size 8 --out samples.pdf");
  verb->callback([&action, arguments] { action = [arguments] { return sample(*arguments); }; });
}

}  // namespace sluice::cli
