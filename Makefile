# Firetally. `make demo` and `make test` are all the set-up there is.

PREFIX ?= /usr/local
FIRETALLY := .build/debug/firetally
SWIFT_FILES := Package.swift Sources Tests bench/limit

.PHONY: demo test fuzz check check-pages lint format build bench install clean bootstrap

## demo: run every job against the embedded Firestore and leave the report in output/
demo: build
	$(FIRETALLY) demo --into .

# A few tests at a time: with all of them in flight each waits for all others, whatever the machine.
## test: build and run all tests
test: bootstrap
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 swift test

## fuzz: hold the parsers against Foundation's on CASES random and hostile inputs from SEED
fuzz: CASES ?= 1000000
fuzz: SEED ?= $(shell date +%s)
fuzz: bootstrap
	FIRETALLY_FUZZ_CASES=$(CASES) FIRETALLY_FUZZ_SEED=$(SEED) \
	  swift test --filter ParserFuzzTests

## check: what must be green before a commit lands
check: lint build test

## check-pages: judge the report's pages in Chromium: accessibility, HTML, layout, no request
check-pages: build
	@.ci/bootstrap chromium
	scripts/pages/check_pages.py

lint: bootstrap
	swift format lint --strict --recursive --parallel $(SWIFT_FILES)

format: bootstrap
	swift format --in-place --recursive --parallel $(SWIFT_FILES)

build: bootstrap
	swift build

## bench: measure against baselines in the same run
bench: bootstrap
	bench/run

## install: an optimised binary with the Swift runtime inside
install: bootstrap
	swift build -c release --static-swift-stdlib --product firetally
	install -D -m 0755 .build/release/firetally $(DESTDIR)$(PREFIX)/bin/firetally

clean:
	rm -rf .build

bootstrap:
	@.ci/bootstrap
