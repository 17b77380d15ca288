# A thin wrapper of the CMake presets. `make` builds, `make test` tests, `make demo` shows the main job.
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local

# ninja where it is there; a folder that is configured already keeps its generator
ifneq ($(shell command -v ninja 2>/dev/null),)
export CMAKE_GENERATOR ?= Ninja
endif

MAKEFLAGS += --no-print-directory

.PHONY: pictures site configured all program test verify verify-machines demo bench format lint install clean bootstrap dev asan coverage fuzz
.DEFAULT_GOAL := all

bootstrap:
	@sh tools/bootstrap.sh

configured: bootstrap
	@test -f build/CMakeCache.txt || cmake --preset release -DCMAKE_INSTALL_PREFIX="$(PREFIX)"

all: configured
	@cmake --build --preset release -j $(JOBS)

# the program alone, without tests and tools for developers: what a demonstration needs
program: configured
	@cmake --build --preset release -j $(JOBS) --target daedal

test: all
	@ctest --preset release -j $(JOBS)

verify: all
	@cmake --build --preset release -j $(JOBS) --target verify_programs
	@ctest --preset verify -j $(JOBS)

# the same optima with other libraries of linear algebra, threads and orders of variables (a sample of it is in `make verify`)
verify-machines: all
	@bash tests/verify/machines.sh build/daedal --all

demo: program
	@sh tools/demo.sh build/daedal

bench: all
	@bash bench/run.sh build/daedal
	@cmake --build --preset release -j $(JOBS) --target full_size_programs
	@bash bench/kernels.sh build
	@bash bench/ivp/run.sh build
	@bash bench/ocp/run.sh build/daedal
	@bash bench/ocp/solvers.sh build/daedal
	@bash bench/ocp/parts.sh build/daedal
	@bash bench/control/run.sh build/daedal

# other builds, each tested in its own folder below build/
dev asan coverage: bootstrap
	@cmake --preset $@
	@cmake --build --preset $@ -j $(JOBS)
	@ctest --preset $@ -j $(JOBS)
	@if test $@ = coverage; then sh tools/coverage.sh build/coverage; fi

# builds build/fuzz/fuzz/fuzz_*; see tests/fuzz for how to run them
fuzz: bootstrap
	@cmake --preset fuzz
	@cmake --build --preset fuzz -j $(JOBS)

# writes the pages and pictures of docs/ again, from what the commands in them print and draw
pictures: all
	@bash tests/cli/pages.sh build/daedal --update
	@bash tools/screenshots.sh build/daedal

# docs/ as a static site in build/site (Node.js; with Doxygen also the C interface)
site:
	@sh tools/site/build.sh build/site
	@echo "open build/site/index.html"

format:
	@sh tools/sources.sh | xargs clang-format -i

lint: all
	@sh tools/lint.sh build

install: all
	@cmake --install build --prefix "$(PREFIX)"

clean:
	@rm -rf build
