/// The [network] section: the kind, then the keys of that kind.
#pragma once

#include <string>

#include "sluice/net/deep_options.hpp"
#include "sluice/net/options.hpp"

namespace sluice::net {

struct Section {
  std::string kind = "two-layer";
  TwoLayerOptions two_layer;
  DeepOptions deep;

  bool is_deep() const { return kind == "deep-gated"; }
  void describe(spec::Keys& keys);
};

spec::Choices kinds();

}  // namespace sluice::net
