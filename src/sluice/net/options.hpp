/// The [network] section.
#pragma once

#include <cstdint>
#include <string>

#include "sluice/spec/keys.hpp"

namespace sluice::net {

/// Of carriers and waves, around the ring.
spec::Range frequencies();

struct InitOptions {
  std::string law = "xavier-normal";
  double scale =
      1.0;  // xavier-normal: sd = scale·√(2/(K+n)); a factor on the standard deviation, not the variance
  bool truncated = false;   // xavier-normal: cut at 2 sd and rescaled to the same sd, as JAX's initialiser is
  double std = 0.1;         // normal: the standard deviation itself
  double norm = 0.3;        // basis, bump, gabor: length √Σw² of every field
  double width = 2.0;       // bump, gabor: standard deviation of the envelope, in sites
  double frequency = 4.0;   // gabor: cycles of the carrier around the ring
  double noise = 0.0;       // basis, bump, gabor, file: sd of independent normals that are added
  std::string path;         // file: an npy file, or an npz file and the name of an array in it
  std::string array;        // file: empty takes the only array
  std::int64_t index = -1;  // file: which entry of a time-first [T,K,n] array; −1 is the last

  std::string others = "required";  // file: what of the other parts that are learned and that it lacks

  void describe(spec::Keys& keys);
  /// Of networks that learn more than their weights.
  void describe_others(spec::Keys& keys);
  /// From a file that can hold other parts, too: an npy file is one array.
  bool from_many() const;
};

/// Where learned biases start.
struct BiasInitOptions {
  std::string law = "zero";
  double size = 1.0;   // split: |b| of every unit
  double share = 0.5;  // split: of the units, the first ones, that start at −size; the others start at +size

  void describe(spec::Keys& keys);
};

/// Where a learned readout starts; the offset c starts at 0.
struct ReadoutInitOptions {
  std::string law = "mean";
  double std = 0.1;  // normal: the standard deviation itself, 1/√K at K = 100

  void describe(spec::Keys& keys);
};

struct TwoLayerOptions {
  std::string kind = "two-layer";
  std::int64_t hidden = 100;
  std::string activation = "relu";
  double beta = 10.0;  // soft-relu: sharpness of the gate
  spec::WordOrNumber bias = "none";
  std::string readout = "mean";
  double pathway = 0.0;  // strength s of a linear pathway beside the units; 0: none
  InitOptions init;
  BiasInitOptions bias_init;        // learned biases only
  ReadoutInitOptions readout_init;  // learned readout only

  void describe(spec::Keys& keys);
  /// All keys but the kind.
  void describe_layers(spec::Keys& keys);

  bool learns_readout() const { return readout == "learned"; }
  /// More than the weights.
  bool learns_others() const { return learns_bias() || learns_readout() || pathway > 0; }
  bool learns_bias() const { return bias == spec::WordOrNumber("learned"); }
  /// What the bias of a unit starts from; it stays there unless learned.
  double initial_bias(std::int64_t unit) const;
};

}  // namespace sluice::net
