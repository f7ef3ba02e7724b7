#include "sluice/theory/characteristic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sluice/file/errors.hpp"
#include "sluice/theory/sampling.hpp"

namespace sluice::theory {
namespace {

constexpr std::size_t kPlaces = 31;
double place(std::size_t i) { return 0.2 * static_cast<double>(i); }

Means characteristic_function(const Sampler& sampler, const Data& data, Label label, const Vector& w) {
  const double scale = 1 / std::sqrt(form(w, data.covariance(label), w));
  return sampler.mean(data, label, kPlaces, [&](std::span<const double> x, std::span<double> out) {
    const double z = scale * dot(view(w), x);
    for (std::size_t i = 0; i < kPlaces; ++i) out[i] = std::cos(place(i) * z);
  });
}

}  // namespace

Table characteristic_functions(const Request& request) {
  constexpr std::int64_t kSamples = 100'000;
  constexpr std::size_t kMostUnits = 4;
  std::shared_ptr<const task::Task> task = request.task.make();
  if (!task->layout().on_ring() || !task->even() || task->training_set() != nullptr)
    throw InputError(fmt::format("characteristic: task.kind = {}: expected X ~ −X without end on a ring",
                                 request.task.kind()));
  const Data data = data_of(std::move(task));
  math::Workers workers(math::hardware_threads());
  const Sampler sampler(kSamples, request.seed, workers);
  Table table{{"t", "normal"}, {}};
  table.picture = {.kind = Picture::Kind::curves,
                   .title = fmt::format("Characteristic function of ⟨w, X⟩/sd, {} data", request.task.kind()),
                   .y = "E cos(t⟨w,X⟩/sd)"};
  for (std::size_t i = 0; i < kPlaces; ++i)
    table.rows.push_back({place(i), std::exp(-place(i) * place(i) / 2)});
  for (std::size_t k = 0; k < std::min(kMostUnits, request.weights.size()); ++k) {
    for (const Label label : {Label::one, Label::zero}) {
      const std::string name = fmt::format("unit {}, class {}", k, label == Label::one ? 1 : 0);
      table.columns.push_back(name);
      table.columns.push_back("± " + name);
      const Means found = characteristic_function(sampler, data, label, request.weights[k]);
      for (std::size_t i = 0; i < kPlaces; ++i) {
        table.rows[i].push_back(found.mean[i]);
        table.rows[i].push_back(found.standard_error[i]);
      }
    }
  }
  return table;
}

}  // namespace sluice::theory
