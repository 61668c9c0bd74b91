# Short names for what is done often. The build itself is CMake's; see CMakePresets.json.

SHELL := /bin/bash

PREFIX       ?= /usr/local
JOBS         ?= $(shell nproc 2>/dev/null || echo 2)
TEST_JOBS    ?= 2
# Each fuzz target ends after so many seconds, or after so many executions if FUZZ_RUNS says so.
FUZZ_SECONDS ?= 60
FUZZ_RUNS    ?=
BENCH_ARGS   ?= table1 --quick
MICRO_ARGS   ?=
PEERS_ARGS   ?=
# lint looks at all sources; `make lint LINT=changed` at those that differ from the last commit.
LINT         ?= all

CTEST := ctest --output-on-failure --no-tests=error -j$(TEST_JOBS)
BUILD  = cmake --build --parallel $(JOBS) --preset
# Errors and warnings of the configuration go to stderr and are shown.
CONFIGURE = cmake --preset

SOURCES := $(wildcard include src cli viewer python/src bench tests examples cmake)

.PHONY: help setup build demo scenes python docs test test-long test-gpu bench micro peers fuzz lint format asan tsan clang v3 debug deb wheel install uninstall clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install what building and testing need (Debian packages)
	@scripts/setup test

# The command and the libraries; tests and what measures are configured if possible, but not built.
build: ## build the libraries and the command, at build/bin/delassus
	@scripts/setup build
	@$(CONFIGURE) release -DDELASSUS_BUILD_TESTS=AUTO >/dev/null
	@$(BUILD) release --target product

# A page that plays a motion, where the build has the viewer.
page = $$(build/bin/delassus --version | grep -q '^viewer *yes' && echo --html build/$(1).html)

demo: build ## build, then show what the library does, and write build/report.html, box.html, box-3d.html and g1-falls.html
	@build/bin/delassus tour -o build/report.html
	@build/bin/delassus demo box -o build/box.html $(call page,box-3d)
	@build/bin/delassus simulate g1-standing --seconds 3 --quiet $(call page,g1-falls)

scenes: build ## run the recipes anew and write the files of scenes/
	@build/bin/delassus scene --all scenes

# The extension is built in the same tree as the libraries, and installed as a user would: into a virtual environment.
# $(1): the preset, $(2): its tree.
python_tree = { [ -x $(2)/venv/bin/python ] || "$$(scripts/find-python)" -m venv --system-site-packages $(2)/venv; } && \
  $(CONFIGURE) $(1) -DDELASSUS_BUILD_PYTHON=ON -DPython_EXECUTABLE="$(CURDIR)/$(2)/venv/bin/python"
install_python = DELASSUS_BUILD_DIR=$(1) $(1)/venv/bin/python -m pip install --quiet --disable-pip-version-check \
  --no-build-isolation --no-deps --force-reinstall .
PYTHON_TREE = $(call python_tree,release,build)
INSTALL_PYTHON = $(call install_python,build)

python: ## build the Python package and install it into build/venv
	@scripts/setup python
	@$(PYTHON_TREE) -DDELASSUS_BUILD_TESTS=AUTO >/dev/null
	@$(BUILD) release --target delassus_python
	@$(INSTALL_PYTHON)

# In the environment of the package, whose docstrings are part of it.
docs: python ## build the site of the documentation, at build/site/index.html
	@scripts/setup docs
	@build/venv/bin/python docs/site/build.py build/site
	@echo 'site: $(CURDIR)/build/site/index.html'

test: setup ## build everything and run the tests, except the long campaigns
	@$(PYTHON_TREE) >/dev/null
	@$(BUILD) release
	@$(INSTALL_PYTHON)
	@$(CTEST) --test-dir build -LE long

test-long: ## build everything and run the long campaigns
	@scripts/setup test
	@$(CONFIGURE) release >/dev/null
	@$(BUILD) release
	@$(CTEST) --test-dir build -L long

test-gpu: ## build and run the tests that need a GPU of NVIDIA
	@scripts/setup test
	@$(CONFIGURE) release >/dev/null
	@$(BUILD) release --target delassus_gpu
	@$(CTEST) --test-dir build -L card

# `delassus bench` and `delassus opcount` are this program.
bench: build ## build build/bin/delassus-bench, and run it: `delassus bench` (BENCH_ARGS='table1 --quick')
	@$(BUILD) release --target delassus-bench
	@build/bin/delassus bench $(BENCH_ARGS)

micro: ## build and run the small benchmarks of every stage (MICRO_ARGS=--benchmark_filter=...)
	@scripts/setup test
	@$(CONFIGURE) release -DDELASSUS_BUILD_BENCH=ON >/dev/null
	@$(BUILD) release --target delassus-micro
	@build/bin/delassus-micro $(MICRO_ARGS)

# What it compares with is what the configuration finds; CMAKE_PREFIX_PATH in the environment says where else to look.
peers: ## build and run the comparison with other libraries that are installed (PEERS_ARGS=--quick)
	@scripts/setup test
	@$(CONFIGURE) release >/dev/null
	@$(BUILD) release --target peers
	@build/bin/delassus-peers $(PEERS_ARGS)

# New inputs go to build-fuzz/corpus, what crashes to build-fuzz/artifacts. Two targets at a time, each with its log beside them.
fuzz: ## fuzz each target of tests/fuzz for FUZZ_SECONDS (60), or FUZZ_RUNS executions
	@scripts/setup fuzz
	@$(CONFIGURE) fuzz >/dev/null
	@$(BUILD) fuzz --target fuzz_targets
	@scripts/fuzz build-fuzz $(if $(FUZZ_RUNS),-runs=$(FUZZ_RUNS),-max_total_time=$(FUZZ_SECONDS))

# The files lint and format work on; $(1) is a pattern of grep. Changed ones: against the last commit, and new.
ifeq ($(LINT),changed)
sources = $$({ git diff --name-only --diff-filter=d HEAD -- $(SOURCES); \
  git ls-files -o --exclude-standard -- $(SOURCES); } | grep -E '$(1)' | sort)
else
sources = $$(find $(SOURCES) -type f | grep -E '$(1)' | sort)
endif

# clang-tidy reads the compile commands of a clang build: those of g++ name flags it does not know.
lint: ## check layout and static rules (LINT=changed: only what changed)
	@scripts/setup lint
	@$(call python_tree,lint,build-lint) >/dev/null
	@files="$(call sources,\.([hc]pp|js)$$)"; [ -z "$$files" ] || clang-format --dry-run --Werror $$files
	@files="$(call sources,\.cpp$$)"; [ -z "$$files" ] || JOBS=$(JOBS) scripts/tidy build-lint $$files

format: ## lay out the sources with clang-format
	@scripts/setup lint
	@files="$(call sources,\.([hc]pp|js)$$)"; [ -z "$$files" ] || clang-format -i $$files

debug: ## build and test with assertions and light optimisation
	@scripts/setup test
	@$(CONFIGURE) debug >/dev/null
	@$(BUILD) debug
	@$(CTEST) --test-dir build-debug -LE long

asan: ## build and test with the address and undefined behaviour sanitizers
	@scripts/setup clang
	@$(call python_tree,asan,build-asan) >/dev/null
	@$(BUILD) asan
	@$(call install_python,build-asan)
	@$(CTEST) --test-dir build-asan -LE long

tsan: ## build and test with the thread sanitizer what runs in threads
	@scripts/setup clang
	@$(call python_tree,tsan,build-tsan) >/dev/null
	@$(BUILD) tsan
	@$(call install_python,build-tsan)
	@$(CTEST) --test-dir build-tsan -LE long

clang: ## build and test with clang
	@scripts/setup clang
	@$(call python_tree,clang,build-clang) >/dev/null
	@$(BUILD) clang
	@$(call install_python,build-clang)
	@$(CTEST) --test-dir build-clang -LE long

v3: ## build for any x86-64 processor with AVX2 and FMA, in build-v3
	@scripts/setup test
	@$(CONFIGURE) x86-64-v3 >/dev/null
	@$(BUILD) x86-64-v3

# Shared libraries for any processor, in a tree of their own; kernels choose their instruction set when they run.
deb: ## make Debian packages, in build/deb
	@scripts/setup deb
	@$(CONFIGURE) deb -DPython_EXECUTABLE="$$(scripts/find-python)" >/dev/null
	@$(BUILD) deb
	@rm -rf build/deb && mkdir -p build/deb
	@cd build-deb && cpack -G DEB -B "$(CURDIR)/build/deb" >cpack.log || { cat cpack.log >&2; exit 1; }
	@rm -rf build/deb/_CPack_Packages
	@ls build/deb/*.deb

# The same for Python, with all but the libraries of the compiler and of C inside.
wheel: ## make a Python wheel, in build/dist
	@scripts/setup python
	@[ -x build-wheel/venv/bin/python ] || "$$(scripts/find-python)" -m venv --system-site-packages build-wheel/venv
	@$(CONFIGURE) wheel -DPython_EXECUTABLE="$(CURDIR)/build-wheel/venv/bin/python" >/dev/null
	@$(BUILD) wheel --target delassus_python
	@rm -rf build/dist build/python-package
	@DELASSUS_BUILD_DIR=build-wheel build-wheel/venv/bin/python -m pip wheel --quiet --disable-pip-version-check \
	  --no-build-isolation --no-deps --wheel-dir build/dist .
	@ls build/dist/*.whl

install: build ## install under PREFIX (/usr/local)
	@cmake --install build --prefix "$(PREFIX)"
	@echo 'To remove it again: make uninstall PREFIX="$(PREFIX)"'

uninstall: ## remove what install put under PREFIX
	@cd "$(PREFIX)" && rm -rf include/delassus lib/libdelassus_* lib/cmake/delassus lib/pkgconfig/delassus{,-c}.pc \
	  share/doc/delassus bin/delassus bin/delassus-bench bin/delassus-mpi share/man/man1/delassus{,-bench}.1 share/bash-completion/completions/delassus \
	  share/zsh/site-functions/_delassus share/fish/vendor_completions.d/delassus.fish

clean: ## remove all build trees
	@rm -rf build build-debug build-asan build-tsan build-v3 build-levels build-clang build-lint build-fuzz build-deb build-wheel
