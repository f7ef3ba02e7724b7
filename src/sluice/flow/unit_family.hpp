/// One ReLU unit on nlgp data, or two, as a family: their landscape as the gain, a length, a label or a linear pathway changes.
///   gain      g of both classes, coordinate ln g
///   xi        ξ of the class with the first label, coordinate ln ξ
///   label     the label of the second class (the first stays), as it is
///   pathway   a in ŷ = ReLU(⟨w,x⟩) + a⟨w,x⟩ (unit_landscape.hpp), as it is
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sluice/flow/diluted.hpp"
#include "sluice/flow/family.hpp"
#include "sluice/spec/keys.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice::flow {

struct UnitSpec {
  task::NlgpOptions task;
  double pathway = 0;
  std::int64_t units = 1;
};

/// What is turned.
struct UnitParameter {
  spec::Choice choice;
  std::string_view symbol;
  bool logarithmic;
  double low, high;              ///< where it may be
  double usual_low, usual_high;  ///< where it is followed unless somebody says otherwise
  double& (*of)(UnitSpec&);

  double coordinate(double value) const;
  double value(double coordinate) const;
};
std::span<const UnitParameter> unit_parameters();
/// Throws InputError with the nearest name when there is none.
const UnitParameter& unit_parameter(const std::string& name);

/// Responses that are smooth enough to be followed.
///   diluted       samples, the data diluted with their Gaussian clone (diluted.hpp): any accuracy, at the price of samples
///   conditioned   a closed form, 0.2 % off for broad fields at small gain, 16 % at worst (conditioned.hpp), its derivative by differences
///   gaussian      as if the data were Gaussian with their covariance
spec::Choices curved_responses();

class UnitFamily final : public Family {
 public:
  /// Parameter and workers must outlive the family. `response` is one of curved_responses(); the options are for "diluted".
  UnitFamily(UnitSpec spec, const UnitParameter& parameter, std::string response, DilutedOptions options,
             math::Workers& workers);

  std::shared_ptr<const CurvedLandscape> at(double coordinate) const override;

 private:
  std::unique_ptr<const CurvedResponse> response_of(const task::NlgpOptions& task, int which_class) const;
  std::shared_ptr<const CurvedLandscape> made(double coordinate) const;

  UnitSpec spec_;
  const UnitParameter& parameter_;
  std::string response_;
  DilutedOptions options_;
  math::Workers* workers_;
  mutable std::deque<std::pair<double, std::shared_ptr<const CurvedLandscape>>> recent_;
};

}  // namespace sluice::flow
