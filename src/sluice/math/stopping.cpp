#include "sluice/math/stopping.hpp"

#include <utility>

namespace sluice::math {
namespace {

thread_local const StopRequested* asking = nullptr;

}  // namespace

Stoppable::Stoppable(StopRequested requested)
    : requested_(std::move(requested)), around_(let_ask(&requested_)) {}
Stoppable::~Stoppable() { let_ask(around_); }

Unstoppable::Unstoppable() : around_(let_ask(nullptr)) {}
Unstoppable::~Unstoppable() { let_ask(around_); }

void stop_if_asked() {
  if (asking != nullptr && (*asking)()) throw Stopped();
}

const StopRequested* asks_to_stop() { return asking; }
const StopRequested* let_ask(const StopRequested* requested) { return std::exchange(asking, requested); }

}  // namespace sluice::math
