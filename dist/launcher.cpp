// bin/sluice of the tar of `make dist`, and of every other program there: runs lib/NAME of its own name with the loader, the C library and the fonts that lie beside it, whatever the
// machine has. Linked statically, so that it needs neither a loader nor a shell; exec, so that signals and exit codes are the program's.
#include <sys/auxv.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  // What the kernel was asked to run: right where argv[0] is not (PATH, exec -a), and there without /proc. Links are followed.
  const auto* asked = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  char self[PATH_MAX];
  if (asked == nullptr || realpath(asked, self) == nullptr) {
    std::fprintf(stderr, "sluice: cannot find its own folder: %s\n", std::strerror(errno));
    return 127;
  }
  std::string root = self;
  const std::string name = root.substr(root.rfind('/') + 1);
  for (int level = 0; level < 2; ++level) root.resize(root.rfind('/'));  // ROOT/bin/NAME

  // The loader has the program's name, because that is what top, ps and pgrep show. Its cache is of the machine's libraries.
  std::string loader = root + "/lib/loader/sluice", libraries = root + "/lib",
              program = root + "/lib/" + name;
  char no_cache[] = "--inhibit-cache", library_path[] = "--library-path", argv0[] = "--argv0";
  std::vector<char*> arguments{loader.data(), no_cache, library_path, libraries.data(), argv0};
  arguments.push_back(argc > 0 ? argv[0] : self);
  arguments.push_back(program.data());
  for (int i = 1; i < argc; ++i) arguments.push_back(argv[i]);
  arguments.push_back(nullptr);

  // What a cluster loads into every program was linked with its own C library, which is not the one here.
  unsetenv("LD_PRELOAD");
  unsetenv("LD_AUDIT");
  const std::string fonts = root + "/share/fonts/fonts.conf";
  setenv("FONTCONFIG_FILE", fonts.c_str(), 0);  // 0: a choice of the user stays
  execv(loader.c_str(), arguments.data());
  std::fprintf(stderr,
               "sluice: %s: %s; link to bin/sluice where it was unpacked, it cannot be copied alone\n",
               loader.c_str(), std::strerror(errno));
  return 127;
}
