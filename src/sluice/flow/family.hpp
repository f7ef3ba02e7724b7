/// Landscapes that depend smoothly on one number, along which fixed points are followed.
#pragma once

#include <memory>

#include "sluice/flow/curved.hpp"

namespace sluice::flow {

class Family {
 public:
  virtual ~Family() = default;
  /// The landscape at a coordinate: of a gain or a length its logarithm, of a label or a strength the number itself.
  virtual std::shared_ptr<const CurvedLandscape> at(double coordinate) const = 0;
};

}  // namespace sluice::flow
