/// Claims, checked.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/lab/checking.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/python/arrays.hpp"
#include "sluice/python/attention.hpp"
#include "sluice/python/bindings.hpp"

namespace sluice::python {
namespace py = pybind11;
namespace {

file::Json claims_of_notes(const std::vector<std::string>& ids, const std::string& document,
                           const theory::Sampler& sampler, Attention& attention) {
  const std::vector<theory::Claim> claims = lab::choose_claims(ids, document);
  const lab::Advance progress = attention.progress();
  const auto stop = attention.stop_requested();
  file::Json found = file::Json::array();
  std::int64_t done = 0;
  lab::check_claims(claims, sampler, [&](const lab::CheckedClaim& checked) {
    found.push_back(lab::to_json(checked));
    progress(++done, std::ssize(claims));
    return !stop();
  });
  return found;
}

/// Every expectation of every file.
file::Json own_claims(const std::vector<std::string>& files, const theory::Sampler& sampler,
                      Attention& attention) {
  std::vector<theory::OwnClaim> claims;  // all are read and understood before the first is measured
  for (const std::string& file : files) claims.emplace_back(theory::read_claim_file(file));
  const auto stop = attention.stop_requested();
  file::Json found = file::Json::array();
  for (const theory::OwnClaim& claim : claims)
    for (std::size_t i = 0; i < claim.size() && !stop(); ++i) {
      file::Json expectation = lab::to_json(claim.measure(i, sampler));
      expectation["file"] = claim.file().path;
      found.push_back(std::move(expectation));
    }
  return found;
}

py::object check(const std::vector<std::string>& names, const std::string& document, std::int64_t samples,
                 std::int64_t seed, std::optional<std::int64_t> threads, py::object listener) {
  if (samples < 10'000 || samples > 1'000'000'000)
    throw InputError(fmt::format("samples = {}: expected an integer from 10000 to 1000000000", samples));
  if (seed < 0) throw InputError(fmt::format("seed = {}: expected an integer, 0 or more", seed));
  const auto files = std::ranges::count_if(names, lab::names_claim_file);
  if (files > 0 && (files < std::ssize(names) || !document.empty()))
    throw InputError("expected files with claims of your own, or ids of claims and their document: not both");
  const int team = threads_of(threads);
  Attention attention(std::move(listener));
  return to_python(attention.of([&] {
    math::Workers workers(team);
    const theory::Sampler sampler(samples, static_cast<std::uint64_t>(seed), workers);
    return files > 0 ? own_claims(names, sampler, attention)
                     : claims_of_notes(names, document, sampler, attention);
  }));
}

}  // namespace

void bind_checks(py::module_& module) {
  module.def("check", &check, py::arg("names"), py::arg("document"), py::arg("samples"), py::arg("seed"),
             py::arg("threads"), py::arg("listener"));
}

}  // namespace sluice::python
