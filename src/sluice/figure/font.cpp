#include <fontconfig/fontconfig.h>

#include <memory>

#include "sluice/figure/style.hpp"

namespace sluice::figure {

bool has_font(const std::string& family) {
  struct Destroy {
    void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
    void operator()(FcObjectSet* names) const { FcObjectSetDestroy(names); }
    void operator()(FcFontSet* fonts) const { FcFontSetDestroy(fonts); }
  };
  const std::unique_ptr<FcPattern, Destroy> pattern(FcPatternCreate());
  FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family.c_str()));
  const std::unique_ptr<FcObjectSet, Destroy> names(FcObjectSetBuild(FC_FAMILY, nullptr));
  const std::unique_ptr<FcFontSet, Destroy> found(FcFontList(nullptr, pattern.get(), names.get()));
  return found != nullptr && found->nfont > 0;
}

}  // namespace sluice::figure
