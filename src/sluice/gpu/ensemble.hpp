/// Many networks with one hidden layer on a device, behind learn's ensemble: each with its own seed, start, rate, law and labels, all of one shape at one step. Same specs,
/// same samples at the same addresses, same checkpoints as on the CPU; numbers differ from the CPU's by rounding alone, and are the same every time on one device.
///
/// Samples of a law that has a recipe are drawn on the device. All others, of finite sets too, are drawn by the workers
/// and sent while the device is busy with those before; loss and accuracy of such members are found by the workers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sluice/gpu/machine.hpp"
#include "sluice/learn/engine.hpp"
#include "sluice/learn/ensemble.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::gpu {

/// Throws InputError, in one line, where the network is not among those that a device knows. Needs no device.
void require_known_two_layer(const net::Network& network, Precision precision);

/// What a network and its samples would have to be for `precision = "fast"`; empty: they are.
std::string wanted_for_fast(const learn::Batches& batches, const net::Network& network);

/// Bytes that one member takes on a device, at least.
double bytes_of_member(const learn::Batches& batches, const learn::Batches& evaluation,
                       const net::Network& network, const learn::OutputLoss& loss,
                       const learn::TrainingOptions& options);

/// What a device is told of a member and of all that move with it.
EnsemblePlan plan_of(const learn::EnsembleMember& member);

/// Of all members samples are drawn there, or of none. The workers must outlive the ensemble; nobody else has them
/// while it moves or looks.
std::unique_ptr<learn::Ensemble> make_ensemble(std::vector<learn::EnsembleMember> members,
                                               Precision precision, math::Workers& workers);

/// One that has the device to itself. Numbers are those of an ensemble of one up to rounding: sums over a batch are added in another order.
std::unique_ptr<learn::Engine> make_engine(learn::EnsembleMember member, Precision precision,
                                           math::Workers& workers);

}  // namespace sluice::gpu
