// fontconfig keeps its cache until the process ends; LeakSanitizer asks this function what to overlook.
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig"; }
