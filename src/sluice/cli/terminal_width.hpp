/// How wide a terminal is.
#pragma once

namespace sluice::cli {

/// Of the terminal behind a descriptor; `otherwise` where there is none.
int terminal_width(int descriptor, int otherwise);

}  // namespace sluice::cli
