/// Which runs are meant, as people type it:
///
///   gain > 1 and (localized >= 0.2 or not status = finished)
///   network.activation = relu and name != "a name with blanks"
///
/// A comparison has a column (run_columns.hpp) on its left and a number or a text on its right: = == != < <= > >=. `not` binds more
/// strongly than `and`, `and` more than `or`. A word without quotes is a text, `inf` and `-inf` are numbers. A run that does not have the
/// column, or has a text where a number is compared, fails the comparison; of != only the first does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sluice/file/cell.hpp"
#include "sluice/lab/run_columns.hpp"

namespace sluice::lab {

/// A condition of SQL. What was typed is in `values`, in the order of the question marks; of names only those of `columns` are in `sql`.
struct SqlCondition {
  std::string sql;
  std::vector<file::Cell> values;
};

/// An empty filter holds for all runs. Throws InputError "filter "gian > 1", column 1: no column 'gian'; did you mean 'gain'?".
SqlCondition to_sql(std::string_view filter, const RunColumns& columns);

/// A column as SQL names it; our names hold no quotes.
std::string sql_name(std::string_view column);

}  // namespace sluice::lab
