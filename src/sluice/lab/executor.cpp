#include "sluice/lab/executor.hpp"

#include "sluice/math/workers.hpp"

namespace sluice::lab {

std::vector<Shift> shifts(std::size_t points, int threads) {
  const auto all = static_cast<std::size_t>(threads);
  const std::size_t left = points % all;
  std::vector<Shift> shifts;
  if (points >= all) shifts.push_back({points - left, threads, 1});
  if (left > 0) shifts.push_back({left, static_cast<int>(left), static_cast<int>(all / left)});
  return shifts;
}

void execute(std::size_t points, int threads,
             const std::function<void(std::size_t point, int threads)>& work) {
  std::size_t first = 0;
  for (const Shift& shift : shifts(points, threads)) {
    math::Workers team(shift.at_once);
    team.run(static_cast<std::int64_t>(shift.points),
             [&](std::int64_t i, int) { work(first + static_cast<std::size_t>(i), shift.threads_each); });
    first += shift.points;
  }
}

}  // namespace sluice::lab
