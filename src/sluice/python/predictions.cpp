/// Where units will end, from the initial weights.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/lab/predict.hpp"
#include "sluice/python/arrays.hpp"
#include "sluice/python/attention.hpp"
#include "sluice/python/bindings.hpp"
#include "sluice/python/require.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

py::array fields_from(const lab::Fields& fields) {
  return array_from({{fields.units, fields.inputs}, fields.weights});
}

py::tuple predict(const lab::Source& source, const std::string& response, const std::string& pairs,
                  std::int64_t samples, const std::string& against, bool train, bool again,
                  std::int64_t seeds, std::optional<std::int64_t> threads) {
  require_one_of("operator", response, flow::engine_operators());
  require_one_of("pairs", pairs, flow::engine_pairs());
  if (samples != 0 && (samples < 1024 || samples > 100'000'000))
    throw InputError(fmt::format("samples = {}: expected an integer from 1024 to 100000000", samples));
  if (seeds < 1 || seeds > 100'000)
    throw InputError(fmt::format("seeds = {}: expected an integer from 1 to 100000", seeds));
  const int team = threads_of(threads);
  const lab::Prediction prediction = Attention().of([&] {
    math::Workers workers(team);
    return lab::predict({.source = source,
                         .response = response,
                         .pairs = pairs,
                         .samples = samples,
                         .against = against,
                         .train = train,
                         .again = again,
                         .seeds = seeds},
                        workers);
  });
  py::dict guesses, scores;
  for (const lab::Guess& guess : prediction.guesses) {
    guesses[py::str(guess.name)] = fields_from(guess.fields);
    if (prediction.trained)
      scores[py::str(guess.name)] = to_python(lab::to_json(lab::score(guess.fields, *prediction.trained)));
  }
  const lab::Fields& flow = prediction.guesses.front().fields;
  const std::vector<std::uint8_t> flags = lab::localized(flow);
  const py::object localized =
      flags.empty() ? py::object(py::none())
                    : array_from({{flow.units}, std::vector<std::int64_t>(flags.begin(), flags.end())})
                          .attr("astype")(py::dtype::of<bool>());
  const py::object trained =
      prediction.trained ? py::object(fields_from(*prediction.trained)) : py::object(py::none());
  return py::make_tuple(guesses, trained, scores, localized);
}

}  // namespace

void bind_predictions(py::module_& module) {
  module.def("predict", &predict, py::arg("source"), py::arg("operator"), py::arg("pairs"),
             py::arg("samples"), py::arg("against"), py::arg("train"), py::arg("again"), py::arg("seeds"),
             py::arg("threads"));
}

}  // namespace sluice::python
