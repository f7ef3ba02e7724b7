/// One axis of a sweep, as it is typed: "task.gain=0.01,3,100".
///   1..5                  the integers from 1 to 5
///   lin(0, 1, 5)          five numbers from 0 to 1, equally far apart
///   log(0.01, 100, 9)     nine from 0.01 to 100, each the same multiple of the one before
/// Numbers that are made are rounded to six digits, because they name folders.
///
/// Keys that change together: "network.hidden,dynamics.rate=10:0.5,40:2". Points are named after the first; the others follow it.
#pragma once

#include <string>
#include <vector>

namespace sluice::lab {

struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
  struct Follower {
    std::string key;
    std::vector<std::string> values;  ///< as many as the axis has
  };
  std::vector<Follower> followers = {};
};
/// Commas inside brackets or quotes belong to a value: "task.xi=[2,1],[1,2]" has two. Throws InputError.
SweepAxis parse_axis(const std::string& text);

}  // namespace sluice::lab
