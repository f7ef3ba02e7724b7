/// The names that formulas of a claim file may use, with their values.
#pragma once

#include <filesystem>

#include "sluice/math/expression_program.hpp"
#include "sluice/task/task.hpp"
#include "sluice/theory/claim_file.hpp"

namespace sluice::theory {

/// Those that are always there (own_claim.hpp), then the symbols of the file, in its order. Throws InputError that names the symbol. The
/// scope refers to the file's task.
math::Scope scope_of(ClaimFile& file, const task::Task& task);

/// What a value of the file is: a number, a list, rows, an array from disk, or a formula of what is known. Throws InputError.
math::Symbol known_value(const spec::Value& value, const math::Scope& scope,
                         const std::filesystem::path& folder);

/// A formula of the file. Throws InputError "own.toml:12: expect.mean: column 7: …".
math::Program compiled(const spec::Value& value, const math::Scope& scope);

}  // namespace sluice::theory
