#include "sluice/record/fitting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "sluice/file/errors.hpp"

namespace sluice::record {
namespace {

constexpr std::array<std::string_view, 3> kElements{"float32", "float64", "int64"};  // of file::Array::Data

/// "float32 [T, 100, 40]"
std::string to_string(const ArrayForm& form, std::int64_t times) {
  std::string axes;
  for (const std::int64_t axis : form.axes) {
    const std::string length = axis == kSome     ? "1 or more"
                               : axis != kTimes  ? std::to_string(axis)
                               : times == kTimes ? "T"
                                                 : std::to_string(times);
    axes += fmt::format("{}{}", axes.empty() ? "" : ", ", length);
  }
  return fmt::format("{} [{}]", kElements.at(form.element), axes);
}

bool fits(const file::Array& array, const ArrayForm& form, std::int64_t times) {
  if (array.data.index() != form.element || array.shape.size() != form.axes.size()) return false;
  for (std::size_t i = 0; i < form.axes.size(); ++i) {
    const std::int64_t length = array.shape[i];
    const std::int64_t axis = form.axes[i] == kTimes ? times : form.axes[i];
    if (axis < 0 ? length < 1 : length != axis) return false;
  }
  return true;
}

/// As many times as the step array has, or the first array over times where no form names one.
std::int64_t times_of(const file::NamedArrays& arrays, const std::vector<ArrayForm>& forms) {
  const auto is_step = [](const ArrayForm& form) { return form.name == "step"; };
  auto first = std::ranges::find_if(forms, is_step);
  if (first == forms.end())
    first = std::ranges::find_if(
        forms, [](const ArrayForm& form) { return !form.axes.empty() && form.axes[0] == kTimes; });
  if (first == forms.end()) return kTimes;
  const file::Array* array = file::find(arrays, first->name);
  return array == nullptr || array->shape.empty() || array->shape[0] < 1 ? kTimes : array->shape[0];
}

void require_steps(const file::Array& array, const std::filesystem::path& file, std::int64_t last_step) {
  const auto& steps = array.as<std::int64_t>();
  const bool increase = std::ranges::adjacent_find(steps, std::greater_equal{}) == steps.end();
  if (increase && steps.front() >= 0 && steps.back() <= last_step) return;
  throw InputError(fmt::format("{}: step: expected increasing numbers from 0 to {}, found {} to {}",
                               file.string(), last_step, steps.front(), steps.back()));
}

}  // namespace

std::vector<ArrayForm> forms_of(const file::NamedArrays& arrays, const std::vector<std::string>& of_the_end) {
  std::vector<ArrayForm> forms;
  for (const auto& [name, array] : arrays) {
    ArrayForm& form = forms.emplace_back(ArrayForm{name, array.data.index(), array.shape});
    const bool once = std::ranges::find(of_the_end, name) != of_the_end.end();
    if (!form.axes.empty()) form.axes[0] = once ? 1 : kTimes;
  }
  return forms;
}

void require_fitting(const file::NamedArrays& arrays, const std::vector<ArrayForm>& forms,
                     const std::filesystem::path& file, Others others, std::int64_t last_step) {
  const std::int64_t times = times_of(arrays, forms);
  for (const ArrayForm& form : forms) {
    const file::Array* array = file::find(arrays, form.name);
    if (array == nullptr && !form.required) continue;
    if (array == nullptr)
      throw InputError(
          fmt::format("{}: no array '{}'; expected {}", file.string(), form.name, to_string(form, times)));
    if (!fits(*array, form, times))
      throw InputError(fmt::format("{}: {}: expected {}, found {} {}", file.string(), form.name,
                                   to_string(form, times), kElements.at(array->data.index()),
                                   file::to_string(array->shape)));
    if (form.name == "step") require_steps(*array, file, last_step);
  }
  if (others == Others::allowed) return;
  for (const auto& [name, array] : arrays) {
    if (std::ranges::find(forms, name, &ArrayForm::name) == forms.end())
      throw InputError(fmt::format("{}: {}: no such array belongs there", file.string(), name));
  }
}

}  // namespace sluice::record
