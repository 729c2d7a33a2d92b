# A thin front door to the CMake presets. `make demo`, `make test` and `make lint` first install missing Debian packages.
MAKEFLAGS += --no-print-directory
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
LABEL ?=
BENCH ?= all

.PHONY: all demo test bench lint install clean

# The program and the library; the tests are built by make test.
all:
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target denseval_cli

demo:
	sh cmake/ensure-packages.sh build
	$(MAKE) all
	sh configs/demo.sh build/denseval

test:
	sh cmake/ensure-packages.sh build test
	cmake --preset release
	cmake --build --preset release -j $(JOBS)
	ctest --preset release -j $(JOBS) --no-tests=error $(if $(LABEL),-L '^$(LABEL)$$') \
		$(if $(filter long,$(LABEL)),,-LE '^long$$')

bench: all
	sh bench/run.sh build/denseval ../shared/data/camvid $(BENCH)

lint:
	sh cmake/ensure-packages.sh build test lint
	cmake --preset release
	sh tests/lint/run.sh build $(JOBS)

install: all
	cmake --install build --prefix "$(PREFIX)"

clean:
	rm -rf build build-*
