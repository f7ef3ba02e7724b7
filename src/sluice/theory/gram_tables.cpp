#include "sluice/theory/gram_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sluice/file/errors.hpp"
#include "sluice/kernel/spectrum.hpp"
#include "sluice/math/finite.hpp"
#include "sluice/net/deep_network.hpp"
#include "sluice/theory/deep_gates.hpp"
#include "sluice/theory/random_networks.hpp"

namespace sluice::theory {
namespace {

/// Networks of the spec at another depth, on the first samples of its task.
Ensemble ensemble_of(const std::string& quantity, const Request& request, std::int64_t most_samples) {
  const net::DeepOptions& options = request.network.as<net::DeepFamily>()->layers;
  if (!options.widths.empty() || !options.dense())
    throw InputError(fmt::format(
        "{}: expected dense layers of one network.width; depths are those of the table", quantity));
  if (options.init.law == "file" || (options.gated_by_network() && options.gate_init.law == "file"))
    throw InputError(fmt::format("{}: expected initial weights by a law, not from a file", quantity));
  const std::unique_ptr<task::Task> task = request.task.make();
  const task::FiniteSet* set = task->training_set();
  if (set == nullptr)
    throw InputError(
        fmt::format("{}: task.kind = {}: expected a finite task (points, dataset, mnist, cifar10)", quantity,
                    request.task.kind()));
  const std::int64_t samples = std::min(most_samples, set->size());
  return {.options = options,
          .inputs = set->inputs,
          .x = {set->x.begin(), set->x.begin() + samples * set->inputs},
          .networks = 0,
          .seed = request.seed};
}

/// Throws InputError, of a network whose sizes leave float32.
kernel::SampleMatrix<double> per_layer(const kernel::SampleMatrix<float>& tangent, std::int64_t depth) {
  if (!math::all_finite(tangent.values))
    throw InputError(
        fmt::format("network: at depth {} an entry of K₀ is not a finite number in float32", depth));
  kernel::SampleMatrix<double> scaled(tangent.n);
  std::ranges::transform(tangent.values, scaled.values.begin(),
                         [depth](float k) { return static_cast<double>(k) / static_cast<double>(depth); });
  return scaled;
}

/// Means on and off the diagonal; of one sample there is nothing off it.
std::vector<double> entries_of(const kernel::SampleMatrix<double>& matrix) {
  double on = 0;
  double all = 0;
  for (std::int64_t s = 0; s < matrix.n; ++s) {
    on += matrix.at(s, s);
    for (std::int64_t t = 0; t < matrix.n; ++t) all += matrix.at(s, t);
  }
  const auto n = static_cast<double>(matrix.n);
  if (matrix.n == 1) return {on};
  return {on / n, (all - on) / (n * (n - 1))};
}

std::optional<kernel::SampleMatrix<double>> expected(const Ensemble& nets) {
  const std::vector<double> x(nets.x.begin(), nets.x.end());
  return mean_kernel(nets.options, nets.inputs, x);
}

std::string network_in_words(const net::DeepOptions& options) {
  const std::string kind = options.random_gates()       ? fmt::format("random gates, μ = {}", options.mu)
                           : options.open()             ? "all gates open"
                           : options.gated_by_network() ? "gates of a network"
                           : options.function_gates()   ? "gates of a function"
                                                        : "own gates";
  return fmt::format("{}, w = {}", kind, options.width);
}

}  // namespace

Table gram_entries(const Request& request) {
  constexpr std::int64_t kSamples = 32;  // 496 pairs
  constexpr std::int64_t kNetworks = 20;
  Ensemble nets = ensemble_of("gram-entries", request, kSamples);
  nets.networks = kNetworks;
  const bool known = expected(nets).has_value();
  const bool one_sample = nets.x.size() == static_cast<std::size_t>(nets.inputs);
  const std::vector<std::string> entries = one_sample
                                               ? std::vector<std::string>{"K₀/d"}
                                               : std::vector<std::string>{"diagonal", "off the diagonal"};
  Table table{{"depth"}, {}};
  for (const std::string& entry : entries) {
    table.columns.insert(table.columns.end(), {entry, "± " + entry});
    if (known) table.columns.push_back("ideal " + entry);
  }
  table.picture = {.kind = Picture::Kind::curves,
                   .title = fmt::format("Entries of the tangent kernel: {}", network_in_words(nets.options)),
                   .y = one_sample ? "K₀/d, mean over networks" : "K₀/d, mean over samples and networks"};
  math::Workers workers(math::hardware_threads());
  for (const std::int64_t depth : {2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20}) {
    nets.options.depth = depth;
    const Means means = means_of(over_networks(
        nets, entries.size(),
        [depth](const kernel::Passage<float>& passage, std::span<double> out) {
          std::ranges::copy(entries_of(per_layer(passage.tangent(), depth)), out.begin());
        },
        workers));
    const auto ideal = expected(nets);
    std::vector<double> row{static_cast<double>(depth)};
    for (std::size_t which = 0; which < entries.size(); ++which) {
      row.insert(row.end(), {means.mean[which], means.standard_error[which]});
      if (ideal) row.push_back(entries_of(*ideal).at(which));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table gram_spectrum(const Request& request) {
  constexpr std::int64_t kSamples = 200;
  constexpr std::int64_t kNetworks = 5;
  Ensemble nets = ensemble_of("gram-spectrum", request, kSamples);
  nets.networks = kNetworks;
  const std::size_t samples = nets.x.size() / static_cast<std::size_t>(nets.inputs);
  if (samples < 2) throw InputError("gram-spectrum: expected two samples or more");
  Table table{{"k"}, std::vector<std::vector<double>>(samples + 1)};
  table.picture = {.kind = Picture::Kind::curves,
                   .title = fmt::format("Spectrum of the tangent kernel: {}", network_in_words(nets.options)),
                   .y = "sum of the k smallest eigenvalues of K₀/d"};
  for (std::size_t k = 0; k <= samples; ++k) table.rows[k].push_back(static_cast<double>(k));
  const auto add = [&](const std::string& name, const Vector& sums) {
    table.columns.push_back(name);
    for (std::size_t k = 0; k <= samples; ++k) table.rows[k].push_back(k == 0 ? 0 : sums[k - 1]);
  };
  const auto sums_of = [](const kernel::SampleMatrix<double>& matrix) {
    std::vector<double> rho = kernel::eigenvalues(matrix);
    for (double& each : rho) each = std::max(each, 0.0);  // K is a Gram matrix: what is below is rounding
    return kernel::cumulative(rho);
  };
  math::Workers workers(math::hardware_threads());
  for (const std::int64_t depth : {2, 4, 6, 8, 12, 16, 20}) {
    nets.options.depth = depth;
    const Means means = means_of(over_networks(
        nets, samples,
        [&](const kernel::Passage<float>& passage, std::span<double> out) {
          std::ranges::copy(sums_of(per_layer(passage.tangent(), depth)), out.begin());
        },
        workers));
    const std::string name = fmt::format("d = {}", depth);
    add(name, means.mean);
    add("± " + name, means.standard_error);
    if (const auto ideal = expected(nets)) add("ideal " + name, vector_of(sums_of(*ideal)));
  }
  return table;
}

Table gram_variance(const Request& request) {
  constexpr std::int64_t kNetworks = 3000;
  constexpr std::array<std::int64_t, 2> kWidths{32, 128};
  Table table{{"depth"}, {}};
  table.picture = {.kind = Picture::Kind::curves,
                   .title = "Scatter of the tangent kernel: linear networks, weights ±1/√w",
                   .y = "Var K₀/d²"};
  for (const std::int64_t width : kWidths) {
    const std::string name = fmt::format("w = {}", width);
    table.columns.insert(table.columns.end(), {name, "± " + name, "ideal " + name, "printed order, " + name});
  }
  math::Workers workers(math::hardware_threads());
  for (const std::int64_t depth : {3, 4, 5, 6, 8, 10, 12, 14}) {
    const auto d = static_cast<double>(depth);
    std::vector<double> row{d};
    for (const std::int64_t width : kWidths) {
      net::DeepOptions options;
      options.depth = depth;
      options.width = width;
      options.gates = "open";
      const Ensemble nets{.options = options, .x = {1}, .networks = kNetworks, .seed = request.seed};
      const Means variance = variances_of(over_networks(
          nets, 1,
          [d](const kernel::Passage<float>& passage, std::span<double> out) {
            out[0] = static_cast<double>(passage.tangent().values[0]) / d;
          },
          workers));
      const auto w = static_cast<double>(width);
      row.insert(row.end(), {variance.mean[0], variance.standard_error[0], kernel_variance(w, d) / (d * d),
                             printed_variance_order(w, d) / (d * d)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace sluice::theory
