#include "sluice/flow/flow.hpp"

#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "sluice/flow/step_control.hpp"
#include "sluice/math/stopping.hpp"

namespace sluice::flow {
namespace {

double largest(std::span<const double> values) {
  double most = 0;
  for (const double value : values) {
    if (!(std::abs(value) <= most)) most = std::abs(value);  // NaN comes through
  }
  return most;
}

double root_mean_square(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

Flow::Flow(const Landscape& landscape, FlowState start, FlowOptions options)
    : landscape_(&landscape), options_(options), state_(std::move(start)), slope_(state_.parameters.size()) {
  landscape_->downhill(state_.parameters, slope_);
}

/// Moves by a thousandth of the parameters' size: the controller finds the rest in a few steps.
double Flow::first_step() const {
  const double speed = root_mean_square(slope_);
  const double size = root_mean_square(state_.parameters);
  return speed > 0 && size > 0 ? 1e-3 * size / speed : 1e-3;
}

Stop Flow::advance(double until) {
  boost::numeric::odeint::runge_kutta_dopri5<std::vector<double>> stepper;
  const auto slope_at = [this](const std::vector<double>& parameters, std::vector<double>& slope, double) {
    math::stop_if_asked();
    landscape_->downhill(parameters, slope);
  };
  std::vector<double> next(state_.parameters.size());
  std::vector<double> next_slope(next.size());
  std::vector<double> error(next.size());
  if (state_.step <= 0) state_.step = first_step();
  StepControl control(state_.step, 5, options_.steady > 0);  // the local error goes like step⁵
  while (state_.time < until) {
    if (largest(slope_) <= options_.steady && options_.steady > 0) return Stop::steady;
    const double step = control.trial(until - state_.time);
    if (control.stuck(state_.time)) return Stop::diverged;

    stepper.do_step(slope_at, state_.parameters, slope_, state_.time, next, next_slope, step, error);
    const double allowed =
        options_.tolerance * root_mean_square(state_.parameters) + std::numeric_limits<double>::min();
    if (!control.accepts(root_mean_square(error) / allowed)) continue;
    state_.time = control.last() ? until : state_.time + step;
    std::swap(state_.parameters, next);
    std::swap(slope_, next_slope);
  }
  return options_.steady > 0 && largest(slope_) <= options_.steady ? Stop::steady : Stop::time_reached;
}

}  // namespace sluice::flow
