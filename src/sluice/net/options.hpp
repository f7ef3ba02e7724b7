/// The [network] section.
#pragma once

#include <cstdint>
#include <string>

#include "sluice/spec/keys.hpp"

namespace sluice::net {

struct InitOptions {
  std::string law = "xavier-normal";
  double scale =
      1.0;  ///< xavier-normal: sd = scale·√(2/(K+n)); a factor on the standard deviation, not the variance
  double std = 0.1;         ///< normal: the standard deviation itself
  std::string path;         ///< file: an npy file, or an npz file and the name of an array in it
  std::string array;        ///< file: empty takes the only array
  std::int64_t index = -1;  ///< file: which entry of a time-first [T,K,n] array; −1 is the last

  void describe(spec::Keys& keys);
};

/// The laws InitOptions::law can name.
spec::Choices init_laws();

struct TwoLayerOptions {
  std::string kind = "two-layer";
  std::int64_t hidden = 100;
  std::string activation = "relu";
  spec::WordOrNumber bias = "none";
  std::string readout = "mean";
  InitOptions init;

  void describe(spec::Keys& keys);

  bool learns_bias() const { return bias == spec::WordOrNumber("learned"); }
  /// What biases start from; they stay there unless learned.
  double initial_bias() const;
};

}  // namespace sluice::net
