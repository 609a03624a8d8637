# Everything that the README names. Each target installs what it needs first.
PREFIX ?= /usr/local
SWIFT ?= swift
RELEASE = --configuration release --static-swift-stdlib
SOURCES = Package.swift Sources Tests

.PHONY: all demo test lint format install bench clean

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
