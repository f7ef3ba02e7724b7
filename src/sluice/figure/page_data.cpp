#include "sluice/figure/page_data.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "sluice/figure/populations.hpp"
#include "sluice/figure/text.hpp"
#include "sluice/file/json.hpp"
#include "sluice/probe/ipr.hpp"
#include "sluice/probe/localized.hpp"
#include "sluice/probe/probe.hpp"

namespace sluice::figure {
namespace {

using file::Json;

constexpr std::size_t kMostTimes = 400;   // more than a slider has places on most screens
constexpr std::size_t kMostUnits = 512;   // tiles that can be told apart on one page
constexpr std::size_t kFewestTimes = 32;  // what still scrubs like a film
constexpr std::size_t kMostCurvePoints = 2000;

/// `count` of 0 … all − 1, evenly, both ends included.
std::vector<std::size_t> evenly(std::size_t all, std::size_t count) {
  count = std::min(all, std::max<std::size_t>(count, 1));
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i)
    chosen.push_back(count == 1 ? all - 1 : (2 * i * (all - 1) + count - 1) / (2 * (count - 1)));
  return chosen;
}

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), 6) != Z_OK)
    throw std::runtime_error("page: zlib cannot compress the data");
  out.resize(size);
  return out;
}

template <class T>
std::string packed(const std::vector<T>& values) {
  return base64(deflated({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)}));
}

std::vector<double> as_doubles(const file::Array& array) {
  return std::visit([](const auto& data) { return std::vector<double>(data.begin(), data.end()); },
                    array.data);
}

/// Six digits, more than any screen shows; JSON has no NaN.
Json rounded(double value) {
  if (!std::isfinite(value)) return {};
  if (value == 0) return 0;
  const double unit = std::pow(10.0, 5 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(unit) ? std::round(value * unit) / unit : value;
}

Json rounded(const std::vector<double>& values, const std::vector<std::size_t>& rows) {
  Json out = Json::array();
  for (const std::size_t row : rows) out.push_back(rounded(values[row]));
  return out;
}

/// Mean and quartiles of each population, over all its units, also those the page does not show.
Json bands(const std::vector<double>& values, std::size_t units, const std::vector<Population>& populations,
           const std::vector<std::size_t>& rows) {
  std::vector<double> kept;
  for (const std::size_t row : rows) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * units);
    kept.insert(kept.end(), begin, begin + static_cast<std::ptrdiff_t>(units));
  }
  const std::vector<std::size_t> all = evenly(rows.size(), rows.size());
  Json out = Json::array();
  for (const Population& each : populations) {
    const Spread spread = spread_over(std::span<const double>(kept), rows.size(), each.units);
    out.push_back({{"of", each.name},
                   {"units", each.units.size()},
                   {"lower", rounded(spread.lower, all)},
                   {"mean", rounded(spread.mean, all)},
                   {"upper", rounded(spread.upper, all)}});
  }
  return out;
}

/// Of the units at one time.
std::vector<std::uint8_t> localized_at(const std::vector<float>& weights, std::size_t time, std::size_t units,
                                       std::size_t sites, std::int64_t side) {
  return probe::localized_flags(std::span(weights).subspan(time * units * sites, units * sites),
                                static_cast<std::int64_t>(sites), side);
}

/// Of the shown units at the shown times, a byte each.
Json localized(const std::vector<float>& weights, std::size_t units, std::size_t sites, std::int64_t side,
               const Thinning& shown) {
  std::vector<std::uint8_t> flags;
  for (const std::size_t t : shown.times) {
    const std::vector<std::uint8_t> now = localized_at(weights, t, units, sites, side);
    for (const std::size_t k : shown.units) flags.push_back(now[k]);
  }
  return packed(flags);
}

Json numbers_of_units(const std::vector<double>& values, std::size_t units, const Thinning& shown) {
  std::vector<double> kept;
  for (const std::size_t t : shown.times)
    for (const std::size_t k : shown.units) kept.push_back(values[t * units + k]);
  const QuantisedNumbers numbers = quantised_numbers(kept);
  return {{"low", numbers.low}, {"high", numbers.high}, {"data", packed(numbers.levels)}};
}

Json fields(const std::vector<float>& weights, std::size_t units, std::size_t sites, const Thinning& shown) {
  std::vector<float> scales;
  std::vector<std::int8_t> levels;
  std::vector<std::int8_t> before(shown.units.size() * sites, 0);
  for (const std::size_t t : shown.times) {
    std::size_t at = 0;
    for (const std::size_t k : shown.units) {
      const QuantisedField field = quantised(std::span(weights).subspan((t * units + k) * sites, sites));
      scales.push_back(field.scale);
      for (const std::int8_t level : field.levels) {
        levels.push_back(static_cast<std::int8_t>(static_cast<std::uint8_t>(level) -
                                                  static_cast<std::uint8_t>(before[at])));
        before[at++] = level;
      }
    }
  }
  return {{"scale", packed(scales)}, {"data", packed(levels)}};
}

/// IPR and norm of every field, from the weights themselves: a record need not have watched them.
std::array<std::pair<std::string, std::vector<double>>, 2> measured(const file::Array& weights) {
  const auto n = static_cast<std::size_t>(weights.shape[2]);
  const auto all = std::span(weights.as<float>());
  std::vector<double> ipr, norm;
  for (std::size_t at = 0; at < all.size(); at += n) {
    double square = 0;
    for (const float w : all.subspan(at, n)) square += static_cast<double>(w) * w;
    norm.push_back(std::sqrt(square));
    ipr.push_back(probe::ipr(all.subspan(at, n)));
  }
  return {{{"ipr", std::move(ipr)}, {"norm", std::move(norm)}}};
}

bool is_field(const file::Array& array, const file::Array& weights) {
  return array.shape == weights.shape && std::holds_alternative<std::vector<float>>(array.data);
}

const file::Array* weights_of(const PageRun& run) {
  const file::Array* weights = run.fields ? run.fields : file::find(*run.record, "weights");
  const bool usable = weights != nullptr && weights->shape.size() == 3 && is_field(*weights, *weights) &&
                      file::element_count(weights->shape) > 0;
  return usable ? weights : nullptr;
}

Json pairs(const std::vector<Fact>& facts) {
  Json out = Json::array();
  for (const Fact& fact : facts) out.push_back(Json::array({clean_text(fact.name), clean_text(fact.value)}));
  return out;
}

Json run_head(const PageRun& run) {
  Json head{{"label", clean_text(run.label)},
            {"settings", pairs(run.settings)},
            {"facts", pairs(run.facts)},
            {"spec", clean_text(run.spec)}};
  if (!run.evaluated_on.empty()) head["on"] = run.evaluated_on;
  if (!run.page_link.empty()) head["page"] = run.page_link;
  if (!run.record_link.empty()) head["record"] = {{"href", run.record_link}};
  if (!run.record_bytes.empty()) {
    head["record"]["name"] = "record.npz";
    head["record"]["data"] = base64(run.record_bytes);
  }
  return head;
}

Json run_data(const PageRun& run, std::size_t numbers) {
  const file::NamedArrays& record = *run.record;
  Json json = run_head(run);
  const std::vector<double> step = as_doubles(*file::find(record, "step"));
  const std::size_t times = step.size();
  const std::vector<std::size_t> points = evenly(times, kMostCurvePoints);
  json["step"] = rounded(step, points);

  const file::Array* weights = run.has_fields ? weights_of(run) : nullptr;
  const std::size_t units = weights ? static_cast<std::size_t>(weights->shape[1]) : 0;
  const std::size_t sites = weights ? static_cast<std::size_t>(weights->shape[2]) : 0;
  const auto layers =
      static_cast<std::size_t>(std::count_if(record.begin(), record.end(), [&](const auto& named) {
        return weights && is_field(named.second, *weights);
      }));
  // Of all times, or where a record kept weights of the end alone, of the last: what is shown of them, by their own number and by that among all.
  const std::size_t kept = weights ? static_cast<std::size_t>(weights->shape[0]) : times;
  const bool has_history = kept == times;
  const Thinning shown = thinned(kept, units, sites * std::max<std::size_t>(layers, 1), numbers);
  Thinning of_all = shown;
  for (std::size_t& time : of_all.times) time += times - kept;

  json["curves"] = Json::object();
  json["bands"] = Json::object();
  json["numbers"] = Json::object();
  json["fields"] = Json::object();
  std::vector<Population> kinds = populations(units, {});
  const auto add_numbers = [&](const std::string& name, const std::vector<double>& values) {
    json["bands"][name] = bands(values, units, kinds, points);
    json["numbers"][name] = numbers_of_units(values, units, of_all);
  };
  if (weights) {
    json["units"] = units;
    json["sites"] = sites;
    json["side"] = run.columns;
    if (run.channels > 1) json["channels"] = run.channels;
    json["times"] = times;
    json["shown"] = {{"step", rounded(step, of_all.times)}, {"units", shown.units}};
    if (run.has_places) {
      const auto& all = weights->as<float>();
      json["localized"] = localized(all, units, sites, run.columns, shown);
      kinds = populations(units, localized_at(all, kept - 1, units, sites, run.columns));
    }
    for (const auto& [name, values] : measured(*weights)) {
      if (has_history)
        add_numbers(name, values);
      else
        json["numbers"][name] = numbers_of_units(values, units, shown);
    }
    if (run.fields) json["fields"]["weights"] = fields(weights->as<float>(), units, sites, shown);
  }
  for (const auto& [name, array] : record) {
    const bool of_fields = weights && is_field(array, *weights);
    const bool over_times = !array.shape.empty() && array.shape[0] == static_cast<std::int64_t>(times);
    if (name == "step" || (!over_times && !of_fields)) continue;
    if (array.shape.size() == 1)
      json["curves"][name] = rounded(as_doubles(array), points);
    else if (weights && array.shape.size() == 2 && array.shape[1] == weights->shape[1] &&
             (name != "ipr" || !has_history))
      add_numbers(name, as_doubles(array));
    else if (of_fields)
      json["fields"][name] = fields(array.as<float>(), units, sites, shown);
  }
  return json;
}

/// What the arrays of these runs are, where a probe made them.
Json meanings(std::span<const PageRun> runs) {
  Json out = Json::object();
  for (const PageRun& run : runs)
    for (const auto& [name, array] : *run.record)
      if (const probe::Probe* probe = probe::find_probe(name)) out[name] = std::string(probe->choice.meaning);
  return out;
}

}  // namespace

Thinning thinned(std::size_t times, std::size_t units, std::size_t sites, std::size_t numbers) {
  std::size_t t = std::min(times, kMostTimes), k = std::min(units, kMostUnits);
  const auto fit = [&](std::size_t other) { return numbers / std::max<std::size_t>(other * sites, 1); };
  if (t * k * sites > numbers) t = std::clamp(fit(k), std::min(t, kFewestTimes), t);
  if (t * k * sites > numbers) k = std::clamp<std::size_t>(fit(t), 1, k);
  if (t * k * sites > numbers) t = std::clamp<std::size_t>(fit(k), std::min<std::size_t>(t, 2), t);
  return {times == 0 ? std::vector<std::size_t>{} : evenly(times, t),
          units == 0 ? std::vector<std::size_t>{} : evenly(units, k)};
}

QuantisedField quantised(std::span<const float> field) {
  QuantisedField out;
  for (const float w : field)
    if (std::isfinite(w)) out.scale = std::max(out.scale, std::abs(w));
  for (const float w : field) {
    const double relative = out.scale > 0 ? static_cast<double>(w) / out.scale : 0.0;
    out.levels.push_back(std::isfinite(w) ? static_cast<std::int8_t>(std::lround(127 * relative))
                                          : std::int8_t{-128});
  }
  return out;
}

QuantisedNumbers quantised_numbers(std::span<const double> values) {
  constexpr std::uint16_t kMissing = 65535;
  QuantisedNumbers out;
  bool any = false;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    out.low = any ? std::min(out.low, value) : value;
    out.high = any ? std::max(out.high, value) : value;
    any = true;
  }
  const double range = out.high - out.low;
  for (const double value : values) {
    const double share = range > 0 && std::isfinite(range) ? (value - out.low) / range : 0.0;
    out.levels.push_back(std::isfinite(value) ? static_cast<std::uint16_t>(std::lround(65534 * share))
                                              : kMissing);
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j)
      word = word << 8 | (i + j < bytes.size() ? static_cast<std::uint8_t>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      out += i + j > bytes.size() ? '=' : kDigits[word >> (18 - 6 * j) & 63];
  }
  return out;
}

std::string page_data(std::span<const PageRun> runs, std::size_t budget, const std::optional<Live>& live) {
  // A field costs a byte a number or less before base64. Where differences do not compress, fewer numbers are tried.
  for (auto numbers = 1.2 * static_cast<double>(budget);;) {
    Json json{{"format", 1}, {"runs", Json::array()}};
    const auto of_each =
        static_cast<std::size_t>(numbers / static_cast<double>(std::max<std::size_t>(runs.size(), 1)));
    for (const PageRun& run : runs) json["runs"].push_back(run_data(run, of_each));
    json["meanings"] = meanings(runs);
    if (live)
      json["live"] = {{"url", live->url},
                      {"every", live->every_ms},
                      {"steps", live->steps},
                      {"finished", live->finished}};
    const std::string text = json.dump();
    if (text.size() > budget && of_each > 10'000) {
      numbers *= std::clamp(0.95 * static_cast<double>(budget) / static_cast<double>(text.size()), 0.1, 0.9);
      continue;
    }
    std::string safe;
    safe.reserve(text.size());
    for (std::size_t from = 0; from < text.size();) {  // no "</script>" in a text may end the page's script
      const std::size_t sign = std::min(text.find('<', from), text.size());
      safe.append(text, from, sign - from);
      if (sign < text.size()) safe += "\\u003c";
      from = sign + 1;
    }
    return safe;
  }
}

}  // namespace sluice::figure
