# Firetally. `make demo` and `make test` are all the set-up there is.

PREFIX ?= /usr/local
FIRETALLY := .build/debug/firetally
# CI looks at no stack: without debug information tests compile in three quarters of the time. Nor
# does it judge the compiler, of whose output a tenth of the time went into a check.
BUILD_FLAGS := $(if $(CI),-debug-info-format none -Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify)
# In the gate, which ends with the dearest of them, the steps of a target are timed.
STEP = $(if $(FIRETALLY_STEPS),scripts/step.sh $@)
# What --version says of the source: only one small file is compiled again for another commit.
export FIRETALLY_COMMIT := $(shell scripts/commit.sh)
# A bounded check takes the debug build, another the optimised one.
built = $(if $(findstring --bounded,$(1)),build,release)
SWIFT_FILES := Package.swift Sources Tests bench/limit

.PHONY: demo test fuzz check check-month check-pages check-figures check-findings check-money check-purchases check-faults check-exports check-scale check-package lint format build release man bench \
  package install uninstall clean bootstrap

## demo: run every job against the embedded Firestore and leave the report and COPIES in output/
demo: COPIES ?= 4
demo: build
	$(FIRETALLY) demo --into . --copies $(COPIES)

## test: build and run all tests, and end with what failed
test: bootstrap
	BUILD_FLAGS="$(BUILD_FLAGS)" scripts/test.sh $(if $(CI),--again)

## fuzz: hold the parsers against Foundation's on CASES random and hostile inputs from SEED
fuzz: CASES ?= 1000000
fuzz: SEED ?= $(shell date +%s)
fuzz: bootstrap
	FIRETALLY_FUZZ_CASES=$(CASES) FIRETALLY_FUZZ_SEED=$(SEED) \
	  swift test --filter "FirestoreTests|FeedsTests|EmulatorTests"

## check: what must be green before a commit lands
check: lint build test

## check-pages: judge the report's pages in Chromium and Firefox: accessibility, HTML, layout, no request
check-pages: build
	@.ci/bootstrap chromium
	@$(if $(CI),true,.ci/bootstrap firefox-esr) || echo "check-pages: firefox-esr cannot be installed; it is left out" >&2
	$(STEP) scripts/pages/check_pages.py $(if $(CI),--no-pictures)

# FIGURES may be --bounded, --self-test, --only demo, or --seed 7.
## check-figures: hold the pages' figures against other counts, on the demo and on 77 invented days
check-figures: build
	$(STEP) scripts/figures/check_figures.py $(FIGURES)

# PURCHASES may be --bounded, which takes the debug build, or --people 500 --kills 10.
## check-purchases: hold imports of payments to a ledger whose truth is known
check-purchases: $(call built,$(PURCHASES))
	$(STEP) scripts/purchases/check_purchases.py \
	  $(if $(findstring --bounded,$(PURCHASES)),,--program .build/release/firetally) $(PURCHASES)

# EXPORTS may be --bounded, which takes the debug build, or --speed 1000000.
## check-exports: hold managed exports and loads against Google's emulator, in both directions
check-exports: $(call built,$(EXPORTS))
	$(STEP) scripts/exports/check_exports.py \
	  $(if $(findstring --bounded,$(EXPORTS)),,--program .build/release/firetally) $(EXPORTS)

# PLANTS may be --bounded, which takes the debug build, or --kinds shift --seeds odd --jobs 2.
## check-money: hold the money page to an invented app whose truth is known
check-money: $(call built,$(MONEY))
	$(STEP) scripts/money/check_money.py \
	  $(if $(findstring --bounded,$(MONEY)),,--program .build/release/firetally) $(MONEY)

## check-findings: plant faults into invented apps, and see on which morning they are named
check-findings: $(call built,$(PLANTS))
	scripts/findings/check_findings.py \
	  $(if $(findstring --bounded,$(PLANTS)),,--program .build/release/firetally) $(PLANTS)

# MONTH may be --bounded, or --verbose, which prints every message.
## check-month: thirty days of cron with all that goes wrong in them: what is told, and when
check-month: build
	$(STEP) scripts/month/check_month.py $(MONTH)

# FAULTS may be --bounded, or --only "first command", or --seconds 60.
## check-faults: attack the built program: streams, system calls, disks, limits, odd files
check-faults: build
	$(STEP) scripts/faults/check_faults.py $(FAULTS)

# SCALE may be --bounded, which takes the debug build, or --users 200000 --shards 8, or --spark.
## check-scale: load in shards under Slurm, with kills and lost nodes, and compare with one machine
check-scale: $(call built,$(SCALE))
	$(STEP) scripts/scale/check_scale.py \
	  $(if $(findstring --bounded,$(SCALE)),,--program .build/release/firetally) $(SCALE)

lint: bootstrap
	$(STEP) swift format lint --strict --recursive --parallel $(SWIFT_FILES)

format: bootstrap
	swift format --in-place --recursive --parallel $(SWIFT_FILES)

build: bootstrap
	$(STEP) swift build $(BUILD_FLAGS) --product firetally

release: bootstrap
	swift build -c release --product firetally

## man: write the manual pages into .build/man; `man -M .build/man firetally` shows them
man: build
	scripts/package/manuals.py $(FIRETALLY) .build/man

## bench: measure against baselines in the same run
bench: bootstrap
	bench/run

## package: a .deb of the program, manual pages, completions, systemd units
package: bootstrap
	scripts/package/deb.sh

## check-package: install the .deb into a bare Debian, and run it there as an unprivileged user
check-package:
	@.ci/bootstrap mmdebstrap mandoc
	scripts/package/check.sh

## install: all that the package has, below PREFIX: program, manual pages, completions, units, docs
install: bootstrap
	scripts/package/build.sh .build/package/firetally
	install -D -m 0755 .build/package/firetally $(DESTDIR)$(PREFIX)/bin/firetally
	scripts/package/stage.sh .build/package/firetally $(DESTDIR)$(PREFIX) $(PREFIX)

## uninstall: remove what install put there
uninstall:
	rm -rf $(DESTDIR)$(PREFIX)/lib/firetally $(DESTDIR)$(PREFIX)/share/doc/firetally
	rm -f $(DESTDIR)$(PREFIX)/bin/firetally $(DESTDIR)$(PREFIX)/share/man/man1/firetally.1.gz \
	  $(DESTDIR)$(PREFIX)/share/man/man1/firetally-*.1.gz \
	  $(DESTDIR)$(PREFIX)/share/man/man5/firetally.yml.5.gz \
	  $(DESTDIR)$(PREFIX)/share/man/man5/firetally-job.5.gz \
	  $(DESTDIR)$(PREFIX)/lib/systemd/system/firetally@.service \
	  $(DESTDIR)$(PREFIX)/lib/systemd/system/firetally@.timer \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/firetally \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_firetally \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/firetally.fish

clean:
	rm -rf .build

bootstrap:
	@.ci/bootstrap
