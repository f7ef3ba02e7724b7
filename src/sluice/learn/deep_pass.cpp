#include "sluice/learn/deep_pass.hpp"

#include <algorithm>

#include "sluice/math/assert.hpp"

namespace sluice::learn {

DeepPass::DeepPass(const Batches& batches, const net::DeepGated<float>& network, const OutputLoss& loss,
                   std::uint64_t gate_seed, math::Workers& workers, bool keep)
    : batches_(batches),
      network_(network),
      loss_(loss),
      gate_seed_(gate_seed),
      rows_(batches.rows()),
      keep_(keep) {
  for (int thread = 0; thread < workers.threads(); ++thread) {
    workers_of_.push_back({batches.drawer(), math::LanesBuffer<float>(batches.inputs(), math::kBlockSamples),
                           std::vector<float>(kRows)});
  }
  SLUICE_ASSERT(batches.inputs() == network.inputs());
  const std::int64_t count = keep ? parts() : workers.threads();
  for (std::int64_t i = 0; i < count; ++i)
    traces_.push_back(network.make_trace(std::min(kRows, rows_), false));
}

void DeepPass::forward(std::uint64_t step, std::int64_t part, int thread,
                       const net::Prepared<float>& prepared) {
  Own& own = workers_of_[static_cast<std::size_t>(thread)];
  net::Trace<float>& trace = this->trace(part, thread);
  const std::int64_t first = part * kRows;
  const std::int64_t end = std::min(first + kRows, rows_);
  trace.samples = end - first;
  const math::Lanes in = trace.input();
  for (std::int64_t row = first; row < end;) {
    const bool first_class = row < batches_.rows_of_first_class();
    const std::int64_t class_end = first_class ? std::min(end, batches_.rows_of_first_class()) : end;
    const Block block{first_class ? 0 : 1, row, std::min(math::kBlockSamples, class_end - row)};
    const math::Lanes x = own.block.lanes(block.rows);
    const auto at = static_cast<std::size_t>(row - first);
    own.drawer->draw(step, block, x, std::span(own.labels).subspan(at, static_cast<std::size_t>(block.rows)));
    for (std::int64_t i = 0; i < in.sites; ++i)
      std::copy_n(&x.at(i, 0), block.rows, &in.at(network_.place_of(i), row - first));
    row += block.rows;
  }
  network_.set_gates(gate_seed_, first, trace);
  network_.forward(prepared, trace);
}

void DeepPass::backward(std::int64_t part, int thread, double scale, const net::Prepared<float>& prepared) {
  net::Trace<float>& trace = this->trace(part, thread);
  const std::vector<float>& labels = workers_of_[static_cast<std::size_t>(thread)].labels;
  net::LayerTrace<float>& out = trace.layers.back();
  std::ranges::fill(out.delta, 0.0F);  // lanes without a sample add nothing
  for (std::int64_t s = 0; s < trace.samples; ++s)
    loss_.slopes(out.q.data() + s, trace.stride, labels[static_cast<std::size_t>(s)], scale,
                 out.delta.data() + s);
  network_.backward_at_once(prepared, trace);
}

}  // namespace sluice::learn
