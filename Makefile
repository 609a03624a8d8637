# Everything that the README names. Each target installs what it needs first.
PREFIX ?= /usr/local
SWIFT ?= swift
RELEASE = --configuration release --static-swift-stdlib
SOURCES = Package.swift Sources Tests

# The suites that hold the stores, the core and the transports to their promises.
DEEP = ConformanceTests|FileStoreTests|BelfryCoreTests|CurlTransportTests|YearTests

.PHONY: all demo test test-deep lint format install bench clean

all:
	.ci/setup build
	$(SWIFT) build $(RELEASE) --product belfry
	$(SWIFT) build $(RELEASE) --product belfryd

demo:
	.ci/setup build
	$(SWIFT) build --product belfry
	$(SWIFT) build --product belfryd
	@.ci/demo "$$($(SWIFT) build --show-bin-path)"

test: lint
	.ci/setup test
	$(SWIFT) build --build-tests
	.ci/test

# Nightly: larger counts everywhere, then the suites under the thread and the address sanitizer.
test-deep: test
	BELFRY_DEEP=1 .ci/test
	for sanitizer in thread address; do \
	  $(SWIFT) build --build-tests --sanitize $$sanitizer --scratch-path .build-$$sanitizer && \
	  $(SWIFT) test --skip-build --sanitize $$sanitizer --scratch-path .build-$$sanitizer --filter '$(DEEP)' || exit 1; \
	done

# Ten minutes of kill -9, SIGSTOP and failing servers; `make test` has half a minute of it.
test-chaos:
	.ci/setup test
	$(SWIFT) build --build-tests
	BELFRY_CHAOS_SECONDS=600 .ci/test --filter ChaosTests

lint:
	.ci/setup build
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	.ci/imports

format:
	$(SWIFT) format --in-place --recursive $(SOURCES)

install: all
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/belfry"
	install -m 755 "$$($(SWIFT) build $(RELEASE) --show-bin-path)/belfry" "$(DESTDIR)$(PREFIX)/bin/belfry"
	install -m 755 "$$($(SWIFT) build $(RELEASE) --show-bin-path)/belfryd" "$(DESTDIR)$(PREFIX)/bin/belfryd"
	cp -R Config/. "$(DESTDIR)$(PREFIX)/share/belfry/"

bench:
	.ci/setup bench
	$(MAKE) all
	$(SWIFT) build $(RELEASE) --product belfry-bench
	"$$($(SWIFT) build $(RELEASE) --show-bin-path)/belfry-bench" --readme README.md

clean:
	$(SWIFT) package clean
