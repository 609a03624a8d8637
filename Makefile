# The commands of the README. Each target first installs the packages that it needs.
SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c
PREFIX ?= /usr/local
SWIFT ?= swift
# The folder of the programs to install.
BIN ?= $(shell $(SWIFT) build $(RELEASE) --show-bin-path)
# The build folder.
SCRATCH ?= $(CURDIR)/.build
# Reproducible in any folder: no paths, and no digests of files that contain paths.
RELEASE = --configuration release --static-swift-stdlib --scratch-path "$(SCRATCH)" \
  -Xswiftc -file-prefix-map -Xswiftc "$(SCRATCH)=./.build" -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=." \
  -Xcc "-ffile-prefix-map=$(SCRATCH)=./.build" -Xcc "-ffile-prefix-map=$(CURDIR)=." \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xlinker --build-id=none
# A name for the build folder of packages, of one length wherever the project lies. Hummingbird calls
# withoutActuallyEscaping, which compiles in the length of its file's path; no prefix map changes that.
PACKAGE_SCRATCH := /tmp/belfry-$(shell printf %s "$(CURDIR)" | sha256sum | cut -c 1-16)
# See Package.swift: `belfry` loads no libraries, and tests run optimized modules.
export BELFRY_STATIC = 1
export BELFRY_OPTIMIZED = 1
SOURCES = Package.swift Config Sources Tests
PAGES = Sources/BelfryEngine/BelfryEngine.docc

# The suites under a sanitizer: those with threads, locks and C libraries. The virtual year has none of them that the
# others lack. Those that wait for servers run apart, one test after the other, since they measure how long that takes.
DEEP = '--filter StoreConformance|StoreCopy|ModelTests|UndoTests|FileStoreTests|SQLiteStoreTests|BelfryEngineTests|BelfryModelTests|CivilTimeTests' \
  '--no-parallel --filter SinkConformance|CurlTransportTests|DesktopSinkTests'

# The installed files; DESTDIR is prefixed to every path, as packagers expect.
TO = $(DESTDIR)$(PREFIX)
BASH_COMPLETION = share/bash-completion/completions/belfry
ZSH_COMPLETION = share/zsh/site-functions/_belfry
FISH_COMPLETION = share/fish/vendor_completions.d/belfry.fish
SYSTEM_UNITS = lib/systemd/system
USER_UNITS = share/systemd/user
SYSTEM_USER = lib/sysusers.d/belfry.conf
# Not share/belfry: with PREFIX=~/.local that folder holds the user's stores.
SAMPLES = share/doc/belfry
# Writes its standard input to a file.
KEEP = install -D -m 644 /dev/stdin
PROGRAMS = belfry belfryd belfry-web
UNITS = belfry.service belfry-web.service belfry-web.socket
MANUALS = belfry.1 belfryd.1 belfry-web.1 belfry.yaml.5 belfry-concepts.7 belfry-recipes.7
# The articles that pages of section 7 are made of.
ARTICLE_belfry-concepts.7 = $(PAGES)/Concepts.md
ARTICLE_belfry-recipes.7 = $(PAGES)/Recipes.md

.PHONY: all help check demo test test-deep test-chaos test-deb fuzz lint format docs install install-files uninstall deb pack bench bench-guard clean

all: ## the programs, as they are released
	.ci/setup build
	for program in $(PROGRAMS); do $(SWIFT) build $(RELEASE) --product $$program || exit 1; done

demo: ## a reminder delivered at the next full minute
	.ci/setup build
	$(SWIFT) build --product belfry
	$(SWIFT) build --product belfryd
	@.ci/demo "$$($(SWIFT) build --show-bin-path)"

help: ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' Makefile | expand -t 14

# `make check SUITE=Name` for one suite.
check: ## the unit suites, or those of SUITE=Name, without servers and other programs
	.ci/check $(SUITE)

test: lint ## lints, counts instructions and runs every test
	.ci/setup test
	$(SWIFT) build --build-tests
	.ci/instructions debug
	.ci/test

# Nightly: larger counts everywhere, then the suites under the thread and the address sanitizer.
test-deep: lint ## larger counts, and the thread and address sanitizers
	.ci/setup test
	$(SWIFT) build --build-tests
	BELFRY_DEEP=1 BELFRY_TEST_LIMIT=3h .ci/test
	export TSAN_OPTIONS="suppressions=$$PWD/.ci/thread-sanitizer"; \
	export LSAN_OPTIONS="suppressions=$$PWD/.ci/leak-sanitizer"; \
	for sanitizer in thread address; do \
	  $(SWIFT) build --build-tests --sanitize $$sanitizer --scratch-path .build-$$sanitizer || exit 1; \
	  for suites in $(DEEP); do \
	    BELFRY_TEST_LIMIT=3h .ci/test --sanitize $$sanitizer --scratch-path .build-$$sanitizer $$suites || exit 1; \
	  done; \
	done

# Ten minutes of kill -9, SIGSTOP, failing servers and 500 escalations; `make test` has half a minute of it.
test-chaos: ## ten minutes of kills, stops and failing receivers
	.ci/setup test
	$(SWIFT) build --build-tests
	BELFRY_CHAOS_SECONDS=600 BELFRY_TEST_LIMIT=1h .ci/test --filter ChaosTests

# A minute of libFuzzer for each reader; BELFRY_FUZZ_SECONDS for more.
fuzz: ## a minute of libFuzzer at each reader
	.ci/setup build
	.ci/fuzz

lint: ## the formatter, imports and other rules
	.ci/setup lint
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	.ci/imports
	.ci/assets

format: ## formats the sources
	.ci/setup lint
	$(SWIFT) format --in-place --recursive $(SOURCES)
	.ci/assets format

# Regenerates the files derived from the commands and config keys; a test compares them.
docs: ## regenerates the reference and the schema of the config
	.ci/setup build
	$(SWIFT) build --product belfry
	$$($(SWIFT) build --show-bin-path)/belfry config schema > Config/belfry.schema.json
	$$($(SWIFT) build --show-bin-path)/belfry manual ConfigReference.md > $(PAGES)/ConfigReference.md

install: all ## the programs, manual pages, completions, units and samples under PREFIX
	$(MAKE) install-files

install-files:
	for program in $(PROGRAMS); do install -D -m 755 "$(BIN)/$$program" "$(TO)/bin/$$program" || exit 1; done
	$(foreach page,$(MANUALS),"$(BIN)/belfry" manual $(page) $(ARTICLE_$(page)) | \
	  $(KEEP) "$(TO)/share/man/man$(lastword $(subst ., ,$(page)))/$(page)" &&) true
	"$(BIN)/belfry" --generate-completion-script bash | sed '1{/^#!/d}' | $(KEEP) "$(TO)/$(BASH_COMPLETION)"
	"$(BIN)/belfry" --generate-completion-script zsh | $(KEEP) "$(TO)/$(ZSH_COMPLETION)"
	"$(BIN)/belfry" --generate-completion-script fish | $(KEEP) "$(TO)/$(FISH_COMPLETION)"
	for unit in $(UNITS); do \
	  sed 's|@bindir@|$(PREFIX)/bin|' Config/systemd/$$unit | $(KEEP) "$(TO)/$(SYSTEM_UNITS)/$$unit" || exit 1; \
	  sed 's|@bindir@|$(PREFIX)/bin|' Config/systemd/user/$$unit | $(KEEP) "$(TO)/$(USER_UNITS)/$$unit" || exit 1; \
	done
	install -D -m 644 Config/systemd/belfry.sysusers "$(TO)/$(SYSTEM_USER)"
	install -d "$(TO)/$(SAMPLES)"
	cp -R Config/belfry.yaml Config/start.yaml Config/belfry.schema.json Config/examples Config/recipes Config/samples "$(TO)/$(SAMPLES)/"
	chmod -R u=rwX,go=rX "$(TO)/$(SAMPLES)"

# A package for Debian, and the programs in a .tar.gz: see .ci/package.
deb: ## the packages in dist
	.ci/setup deb
	mkdir -p .build-deb
	ln -sfnT "$(CURDIR)/.build-deb" "$(PACKAGE_SCRATCH)"
	$(MAKE) pack SCRATCH="$(PACKAGE_SCRATCH)"
	lintian --no-cfg --allow-root --fail-on error,warning dist/*.deb

pack: all
	.ci/package "$(BIN)" dist

# Installs, upgrades, removes and purges the package of `make deb`, on a clean Debian, which needs root.
test-deb: ## the package on a clean Debian; needs root
	.ci/test-package dist/*.deb

# Configs, stores and units in home folders stay.
uninstall: ## removes what install has installed
	for program in $(PROGRAMS); do rm -f "$(TO)/bin/$$program"; done
	for unit in $(UNITS); do rm -f "$(TO)/$(SYSTEM_UNITS)/$$unit" "$(TO)/$(USER_UNITS)/$$unit"; done
	rm -f "$(TO)/$(SYSTEM_USER)"
	rm -f "$(TO)/$(BASH_COMPLETION)" "$(TO)/$(ZSH_COMPLETION)" "$(TO)/$(FISH_COMPLETION)"
	for page in $(MANUALS); do rm -f "$(TO)/share/man/man$${page##*.}/$$page"; done
	rm -rf "$(TO)/$(SAMPLES)"

# See Package.swift: the benchmarks are built here alone.
bench: export BELFRY_BENCHMARKS = 1
bench: ## measures Belfry beside other tools
	.ci/setup bench
	$(MAKE) all
	for program in belfry-bench belfry-bench-probe belfry-bench-limits belfry-bench-server; do \
	  $(SWIFT) build $(RELEASE) --product $$program || exit 1; \
	done
	BELFRY_SUITE=Bench $(SWIFT) test --filter BenchTests
	"$(BIN)/belfry-bench" --readme README.md --page $(PAGES)/Benchmarks.md --plots $(PAGES)/Resources

# The check of `make test` on the debug build, for the release build.
bench-guard: all ## counts the instructions of the release build
	.ci/setup test
	.ci/instructions release

clean: ## removes what was built
	$(SWIFT) package clean
	rm -rf dist .build-deb
