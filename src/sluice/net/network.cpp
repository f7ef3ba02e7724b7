#include "sluice/net/network.hpp"

#include <algorithm>
#include <utility>

namespace sluice::net {

const Part* Network::find_part(std::string_view name) const {
  const auto found = std::ranges::find(parts_, name, &Part::name);
  return found == parts_.end() ? nullptr : &*found;
}

void Network::add_part(std::string name, std::vector<std::string_view> axes, file::Shape shape) {
  parts_.push_back({std::move(name), std::move(axes), std::move(shape), parameter_count_});
  parameter_count_ += parts_.back().size();
}

}  // namespace sluice::net
