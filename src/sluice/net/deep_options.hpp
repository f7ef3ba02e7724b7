/// network.kind = "deep-gated": the networks of document 004, by who computes the gates and what is trained.
///
///   paper                     gates      beta      train
///   deep linear (DLN)         open       –         weights
///   fixed random (DGN-FRG)    random     –         weights
///   ReLU         N(Θ,∞;Θ)     own        inf       weights (they are the gates' too)
///   soft-ReLU    N(Θ,β;Θ)     own        β         weights
///   GaLU         N(Θ†,∞;Θ^w)  network    inf       weights
///   soft-GaLU    N(Θ^g,β;Θ^w) network    β         both
///   gates only   N(Θ^g,β;Θ†)  network    β         gates
///   of x alone                function   –         weights
/// In place of the logistic gate of β and ε, a gate of own or network can be any formula of q.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sluice/net/gate.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::net {

/// Law of the initial weights of every layer.
struct DeepInitOptions {
  std::string law = "bernoulli";
  spec::WordOrNumber std = "unit-signal";  // bernoulli, normal: σ, the same in every layer
  std::string path;                        // file: a run folder of a deep network or its record.npz

  void describe(spec::Keys& keys);
};

/// Where a gating network starts.
struct GateInitOptions {
  std::string law = "independent";
  std::string path;

  void describe(spec::Keys& keys);
};

struct DeepOptions {
  std::int64_t depth = 6;            // d: layers of weights, the readout among them
  std::int64_t width = 100;          // w: units of every hidden layer
  std::vector<std::int64_t> widths;  // instead of both: units of each of the d − 1 hidden layers
  std::string layers = "dense";
  std::int64_t kernel = 3;  // circular: ŵ, width of the kernel; convolutional: its side
  std::vector<std::int64_t>
      channels;  // convolutional: of each convolution; `widths` are then the dense layers behind them
  std::string padding = "zero";
  std::vector<std::int64_t> strides;  // of each convolution; empty: 1
  std::vector<std::int64_t> pools;    // side of the windows averaged behind each; empty: 1, none
  std::string ending = "flatten";
  std::string gates = "own";
  double mu = 0.5;                      // random: P(gate open)
  std::string gate_source;              // function: SHA-256 of its source (net/gates.hpp)
  std::string gate_shape = "logistic";  // or a formula of q
  double beta = std::numeric_limits<double>::infinity();
  double epsilon = 0;
  std::string train = "weights";
  DeepInitOptions init;
  GateInitOptions gate_init;

  void describe(spec::Keys& keys);

  /// Units of the hidden layers that are dense: d − 1 numbers where all are, none of circular layers.
  std::vector<std::int64_t> hidden() const;
  bool logistic() const { return gate_shape == "logistic"; }
  GateFunction gate() const {
    return logistic() ? GateFunction(Gate{.beta = beta, .epsilon = epsilon}) : GateFunction(gate_shape);
  }
  bool own_gates() const { return gates == "own"; }
  bool gated_by_network() const { return gates == "network"; }
  bool random_gates() const { return gates == "random"; }
  bool open() const { return gates == "open"; }
  bool function_gates() const { return gates == "function"; }
  bool circular() const { return layers == "circular"; }
  bool convolutional() const { return layers == "convolutional"; }
  bool dense() const { return layers == "dense"; }
  /// Convolutions end in the mean over all pixels.
  bool averages() const { return ending == "average"; }
  bool trains_weights() const { return train != "gates"; }
  bool trains_gates() const { return train != "weights"; }
  /// Share of open gates that the law of the initial weights counts on: μ of random gates, 1 of open ones, else ½.
  double open_share() const { return random_gates() ? mu : open() ? 1.0 : 0.5; }

 private:
  void describe_layers(spec::Keys& keys);
  void describe_logistic(spec::Keys& keys);
};

}  // namespace sluice::net
