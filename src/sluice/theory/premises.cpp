#include "sluice/theory/premises.hpp"

#include <fmt/format.h>

#include <string_view>

#include "sluice/file/errors.hpp"

namespace sluice::theory {
namespace {

void need(bool holds, const std::string& who, std::string_view key, std::string_view expected) {
  if (!holds) throw InputError(fmt::format("{}: {}: expected {}", who, key, expected));
}

}  // namespace

void require_even_classes(const task::Classes& classes, const std::string& who,
                          std::array<double, 2> labels) {
  need(classes.labels == labels, who, "task.labels", fmt::format("[{}, {}]", labels[0], labels[1]));
  need(classes.balance == 0.5, who, fmt::format("task.balance = {}", classes.balance), "0.5");
}

void require_plain_start(const net::TwoLayerOptions& layers, const std::string& who) {
  for (std::int64_t k = 0; k < layers.hidden; ++k)
    need(layers.initial_bias(k) == 0, who, layers.learns_bias() ? "network.bias_init.law" : "network.bias",
         layers.learns_bias() ? "\"zero\"" : "\"none\"");
  need(!layers.learns_readout() || layers.readout_init.law == "mean", who, "network.readout_init.law",
       "\"mean\"");
}

void require_plain_relu(const net::TwoLayerOptions& layers, const std::string& who) {
  need(layers.activation == "relu", who, fmt::format("network.activation = \"{}\"", layers.activation),
       "\"relu\"");
  need(!layers.learns_bias() && layers.initial_bias(0) == 0, who, "network.bias", "\"none\"");
  need(layers.readout == "mean", who, fmt::format("network.readout = \"{}\"", layers.readout), "\"mean\"");
  need(layers.pathway == 0, who, fmt::format("network.pathway = {}", layers.pathway), "0");
}

}  // namespace sluice::theory
