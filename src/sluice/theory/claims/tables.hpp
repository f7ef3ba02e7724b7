/// One table of claims per topic, each beside the theory it checks. claim.cpp puts them in the order of the documents.
#pragma once

#include <span>

#include "sluice/theory/claim.hpp"

namespace sluice::theory::claims {

std::span<const Claim> kernel();            ///< covariances on the ring and the Fourier basis
std::span<const Claim> data_moments();      ///< moments of the data
std::span<const Claim> single_neuron();     ///< one ReLU unit, any symmetric law
std::span<const Claim> response();          ///< f(w): its properties and closed forms
std::span<const Claim> hypercube();         ///< signals on the vertices of the hypercube
std::span<const Claim> gaussian_network();  ///< ReLU networks on Gaussian data
std::span<const Claim> fourier_modes();     ///< one unit on Gaussian data, mode by mode
std::span<const Claim> erf_network();       ///< erf networks on Gaussian data
std::span<const Claim> initial_loss();      ///< the loss before training
std::span<const Claim> absolute_loss();     ///< the absolute loss of erf units
std::span<const Claim> populations();       ///< pairs of opposite units, and which class moves a unit more
std::span<const Claim> trained();           ///< what training is observed to do
std::span<const Claim>
gated_linear();  ///< linear units behind fixed gates: their flow, its solution, its limit
std::span<const Claim> bump_gates();         ///< gates that see one site: document 000 §4.2 and document 003
std::span<const Claim> deep_paths();         ///< deep gated networks: paths, the mean of the tangent kernel
std::span<const Claim> deep_variance();      ///< its variance, and the proof that bounds it
std::span<const Claim> deep_random_gates();  ///< its entries and spectrum behind random gates
std::span<const Claim> deep_soft_gates();    ///< gates that learn
std::span<const Claim> deep_convolution();   ///< circular convolutions
std::span<const Claim> deep_training();      ///< descent of deep networks
std::span<const Claim> values();             ///< numbers to all their printed digits
std::span<const Claim> our_results();        ///< what sluice adds to the notes

}  // namespace sluice::theory::claims
