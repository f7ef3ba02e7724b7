#include <CLI/CLI.hpp>

#include "sluice/cli/verbs.hpp"

namespace sluice::cli {
void add_theory(CLI::App& /*app*/, Action& /*action*/) {}
}  // namespace sluice::cli
