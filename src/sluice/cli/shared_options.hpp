/// Options that several verbs have, declared once.
#pragma once

#include "sluice/cli/app.hpp"
#include "sluice/lab/recorded.hpp"

namespace sluice::cli {

/// --threads, by default as many as `threads` is now. `said`: gets the number that was typed, which may be too many here and right elsewhere.
void add_threads(App& verb, int& threads, int* said = nullptr);
/// --overwrite of a file: the rule is that of file/place.hpp.
void add_overwrite(App& verb, bool& overwrite);
/// --weights and --layout of a file of weights.
void add_fields_in(App& verb, lab::FieldsIn& fields);

}  // namespace sluice::cli
