// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
]

// Tests compute a lot, and start the programs thousands of times. A package that others build upon has no such flags:
// `make` and .ci/check ask for them.
let optimized: [SwiftSetting] =
  Context.environment["BELFRY_OPTIMIZED"] == nil ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A module, with the modules that it may import, and a folder of files that the build embeds in it.
func room(
  _ name: String, in folder: String? = nil, _ dependencies: [Target.Dependency], embedding assets: String? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: folder.map { "Sources/\($0)/\(name)" },
    resources: assets.map { [.embedInCode($0)] } ?? [], swiftSettings: strict + optimized)
}

/// A system library, with the Debian package of its headers.
func debian(_ name: String, _ package: String) -> Target { .systemLibrary(name: name, providers: [.apt([package])]) }

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
// An HTTP server, for belfry-web alone.
let server: [Target.Dependency] = [
  .product(name: "HTTPTypes", package: "swift-http-types"),
  .product(name: "Hummingbird", package: "hummingbird"),
  .product(name: "HummingbirdCore", package: "hummingbird"),
  .product(name: "Logging", package: "swift-log"),
  .product(name: "NIOCore", package: "swift-nio"),
  .product(name: "NIOHTTP1", package: "swift-nio"),
  .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
  .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
  .product(name: "NIOPosix", package: "swift-nio"),
]
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")

// Adding a store or a sink: a room here, one line in BelfryRuntime, the only module that may import them. The first is
// the plug-in of SQLiteStore, on which other modules are built.
let stores = [
  room("SQLitePlugin", in: "Stores", ["BelfryEngine", "ConfigKeys", "SQLiteStore"]),
  room(
    "JSONStore", in: "Stores",
    ["BelfryEngine", "BelfryModel", "ByteOutput", "ConfigKeys", "FileStore", "MemoryStore"]),
  room(
    "PlistStore", in: "Stores",
    [
      "BelfryEngine", "BelfryModel", "ByteOutput", "ConfigKeys", "FileStore", "MemoryStore", "PlistRecords",
      "PropertyLists",
    ]),
  room(
    "PostgresStore", in: "Stores",
    [
      "BelfryEngine", "BelfryModel", "CLinuxEvents", "CPostgres", "ConfigKeys", "MemoryStore", "SQLRecords",
      "SystemThreads",
    ]),
  room(
    "VdirStore", in: "Stores",
    [
      "BelfryEngine", "BelfryModel", "CLinuxEvents", "CivilTime", "ConfigKeys", "Digests", "ICalendar", "Interchange",
      "OrderedJSON", "SQLRecords", "SQLiteStore", "SystemFiles",
    ]),
]
let sinks = [
  room(
    "StdoutSink", in: "Sinks",
    ["BelfryEngine", "BelfryModel", "CivilTime", "ConfigKeys", "OrderedJSON", "SystemFiles", "Transport"]),
  room(
    "EmailSink", in: "Sinks",
    ["BelfryEngine", "BelfryModel", "CivilTime", "ConfigKeys", "ICalendar", "MessageText", "Transport"],
    embedding: "Assets"),
  room(
    "WebhookSink", in: "Sinks",
    [
      "BelfryEngine", "BelfryModel", "CLinuxEvents", "CivilTime", "ConfigKeys", "Digests", "MessageText", "OrderedJSON",
      "Transport",
    ]),
  room(
    "TelegramSink", in: "Sinks",
    [
      "BelfryEngine", "BelfryModel", "CivilTime", "ConfigKeys", "ItemEntry", "MessageText", "OrderedJSON", "Transport",
    ]),
  room(
    "DesktopSink", in: "Sinks",
    [
      "BelfryEngine", "BelfryModel", "CDesktopBus", "CLinuxEvents", "CivilTime", "ConfigKeys", "MessageText",
      "SystemThreads", "Transport",
    ]),
  room(
    "WebPushSink", in: "Sinks",
    [
      "BelfryEngine", "BelfryModel", "CivilTime", "ConfigKeys", "Digests", "MessageText", "OrderedJSON", "Transport",
      "WebAccess", "WebPush",
    ]),
]
let plugins = (stores + sinks).map { Target.Dependency.byName(name: $0.name) }

// A program without shared libraries starts in a third of the time. That needs the static standard library, which a
// manifest cannot request, and libsqlite3.a; `make` passes both.
let everyday: [LinkerSetting] =
  Context.environment["BELFRY_STATIC"] == nil
  ? [] : [.unsafeFlags(["-static-executable", "-use-ld=lld"], .when(configuration: .release))]

let package = Package(
  name: "belfry",
  products: [
    .executable(name: "belfry", targets: ["belfry"]),
    .executable(name: "belfryd", targets: ["belfryd"]),
    .executable(name: "belfry-web", targets: ["belfry-web"]),
    .library(name: "BelfryEngine", targets: ["BelfryEngine"]),
    .library(name: "BelfryModel", targets: ["BelfryModel"]),
    .library(name: "ConfigKeys", targets: ["ConfigKeys"]),
    .library(name: "Transport", targets: ["Transport"]),
    .library(name: "CivilTime", targets: ["CivilTime"]),
    .library(name: "BelfryTestKit", targets: ["BelfryTestKit"]),
    .library(name: "MemoryStore", targets: ["MemoryStore"]),
    .library(name: "RecurrenceRules", targets: ["RecurrenceRules"]),
    .library(name: "OrderedJSON", targets: ["OrderedJSON"]),
    .library(name: "PropertyLists", targets: ["PropertyLists"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
  ],
  targets: [
    room("SystemFiles", []),
    room("SystemThreads", []),
    // Loads shared libraries at their first use.
    .target(name: "CSharedLibrary"),
    room("ByteOutput", []),
    room("CivilTime", ["ByteOutput", "SystemFiles"]),
    room("RecurrenceRules", ["CivilTime"]),
    room("NaturalDates", ["CivilTime", "RecurrenceRules"]),
    room("OrderedJSON", ["ByteOutput"]),
    room("PropertyLists", ["ByteOutput"]),
    room("ICalendar", ["CivilTime"]),
    room("Digests", ["CNettle"]),
    debian("CNettle", "nettle-dev"),

    room("BelfryModel", ["ByteOutput", "CivilTime", "Digests", "ICalendar", "OrderedJSON", "RecurrenceRules"]),
    room("AnswerTokens", ["BelfryModel", "CivilTime", "Digests", "OrderedJSON", "SystemFiles"]),
    room("ConfigKeys", ["BelfryModel", "CivilTime", "NaturalDates", "OrderedJSON", "SystemFiles"]),
    room("Transport", ["BelfryModel", "CivilTime", "ConfigKeys"]),
    room(
      "BelfryEngine",
      ["BelfryModel", "CivilTime", "ConfigKeys", "OrderedJSON", "RecurrenceRules", "SystemThreads", "Transport"]),

    room("ItemEntry", ["BelfryEngine", "BelfryModel", "CivilTime", "ConfigKeys", "NaturalDates", "RecurrenceRules"]),
    room("MemoryStore", in: "Stores", ["BelfryEngine", "BelfryModel", "CivilTime"]),
    room(
      "SQLRecords", in: "Stores", ["BelfryEngine", "BelfryModel", "CivilTime", "OrderedJSON", "RecurrenceRules"]),
    room("PlistRecords", in: "Stores", ["BelfryModel", "CivilTime", "PropertyLists"]),
    room("FileStore", in: "Stores", ["BelfryEngine", "BelfryModel", "CivilTime", "MemoryStore", "SystemFiles"]),
    room(
      "SQLiteStore", in: "Stores",
      ["BelfryEngine", "BelfryModel", "CLinuxEvents", "CSQLite", "SQLRecords", "SystemFiles"]),
    .target(name: "CPostgres", dependencies: ["CSharedLibrary"]),
    room(
      "WebAccess",
      [
        "BelfryEngine", "BelfryModel", "CSQLite", "ConfigKeys", "Digests", "SQLRecords", "SQLiteStore", "SystemFiles",
        "WebPush",
      ]),
    // Signatures of passkeys, for belfry-web alone.
    room("Passkeys", ["CSignatures", "Digests", "OrderedJSON"]),
    // Encryption and signatures of Web Push.
    room("WebPush", ["CWebPush", "Digests", "OrderedJSON"]),
    .target(name: "CWebPush", dependencies: ["CSharedLibrary"], linkerSettings: [.linkedLibrary("nettle")]),
    .target(
      name: "CSignatures",
      linkerSettings: [.linkedLibrary("hogweed"), .linkedLibrary("nettle"), .linkedLibrary("gmp")]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),

    room("MessageText", ["BelfryEngine", "BelfryModel", "CivilTime", "ConfigKeys", "OrderedJSON"]),
    room("MustacheTemplates", ["ConfigKeys", "MessageText", "OrderedJSON", mustache]),
    room(
      "CurlTransport",
      ["BelfryModel", "CCurl", "CLinuxEvents", "ConfigKeys", "SystemFiles", "SystemThreads", "Transport"]),
    .target(name: "CCurl", dependencies: ["CSharedLibrary"]),
    .target(name: "CLinuxEvents"),
    .target(name: "CDesktopBus", dependencies: ["CSharedLibrary"]),

    room(
      "Interchange",
      [
        "BelfryEngine", "BelfryModel", "CivilTime", "ICalendar", "NaturalDates", "OrderedJSON", "PlistRecords",
        "PropertyLists", "RecurrenceRules", "SystemFiles",
      ]),
    room("BelfryConfig", ["BelfryEngine", "CLinuxEvents", "CYaml", "CivilTime", "ConfigKeys", "SystemFiles"]),
    debian("CYaml", "libyaml-dev"),
    room(
      "BelfryRuntime",
      [
        "AnswerTokens", "BelfryConfig", "BelfryEngine", "BelfryModel", "CLinuxEvents", "CivilTime", "ConfigKeys",
        "OrderedJSON", "SystemFiles", "Transport", arguments,
      ] + plugins),

    // The samples in Config, which are installed as well.
    .target(
      name: "ConfigSamples", path: "Config",
      exclude: [
        "belfry.schema.json", "debian", "examples", "samples", "screenshots", "systemd/belfry-web.service",
        "systemd/belfry-web.socket", "systemd/belfry.service", "systemd/belfry.sysusers",
      ],
      resources: [
        .embedInCode("belfry.yaml"), .embedInCode("start.yaml"), .embedInCode("recipes"), .embedInCode("systemd/user"),
      ],
      swiftSettings: strict),
    room(
      "BelfryCLI",
      [
        "AnswerTokens", "BelfryEngine", "BelfryModel", "BelfryRuntime", "CLinuxEvents", "CivilTime", "ConfigKeys",
        "ConfigSamples",
        "Interchange", "ItemEntry", "OrderedJSON", "SystemFiles", "WebAccess", arguments,
      ]),
    room(
      "BelfryDaemon",
      [
        "AnswerTokens", "BelfryCLI", "BelfryEngine", "BelfryModel", "BelfryRuntime", "CLinuxEvents", "CivilTime",
        "ConfigKeys", "CurlTransport", "MustacheTemplates", "OrderedJSON", "SystemFiles", "SystemThreads", "Transport",
        "WebAccess", arguments,
      ]),
    .executableTarget(
      name: "belfry", dependencies: ["BelfryCLI"], swiftSettings: strict, linkerSettings: everyday),
    .executableTarget(name: "belfryd", dependencies: ["BelfryDaemon"], swiftSettings: strict),

    debian("CZlib", "zlib1g-dev"),
    room(
      "BelfryWeb",
      [
        "AnswerTokens", "BelfryEngine", "BelfryModel", "BelfryRuntime", "CLinuxEvents", "CZlib", "CivilTime",
        "ConfigKeys", "Digests", "Interchange", "ItemEntry", "MessageText", "NaturalDates", "OrderedJSON", "Passkeys",
        "SystemFiles", "SystemThreads", "Transport", "WebAccess", "WebPush", arguments,
      ] + server, embedding: "Assets"),
    .executableTarget(name: "belfry-web", dependencies: ["BelfryWeb"], swiftSettings: strict),

    .target(
      name: "BelfryTestKit",
      dependencies: [
        "BelfryEngine", "BelfryModel", "CivilTime", "ConfigKeys", "OrderedJSON", "RecurrenceRules", "Transport",
      ],
      path: "Tests/BelfryTestKit", swiftSettings: strict + optimized),
    .target(
      name: "TestSupport",
      dependencies: [
        "BelfryConfig", "BelfryEngine", "BelfryModel", "BelfryTestKit", "CWebPush", "CivilTime", "ConfigKeys",
        "Digests", "OrderedJSON", "WebPush",
      ],
      path: "Tests/Support", exclude: ["Calendars", "Services", "Taskwarrior"], swiftSettings: strict + optimized),
    .target(name: "DaemonModels", path: "Tests/DaemonModels", swiftSettings: strict + optimized),
    tests("SystemThreads", ["SystemThreads"]),
    tests("CivilTime", ["BelfryModel", "BelfryTestKit", "CivilTime", "NaturalDates", "SystemFiles", "TestSupport"]),
    tests("RecurrenceRules", ["BelfryTestKit", "CivilTime", "RecurrenceRules", "TestSupport"], exclude: ["Oracle"]),
    tests(
      "NaturalDates", ["BelfryModel", "BelfryTestKit", "CivilTime", "NaturalDates", "RecurrenceRules", "TestSupport"]),
    tests("OrderedJSON", ["BelfryTestKit", "OrderedJSON", "TestSupport"]),
    tests("PropertyLists", ["PropertyLists", "TestSupport"], exclude: ["Fixtures"]),
    tests("BelfryModel", ["BelfryModel", "BelfryTestKit", "CivilTime", "Digests", "TestSupport", "Transport"]),
    tests(
      "AnswerTokens",
      ["AnswerTokens", "BelfryModel", "BelfryTestKit", "Digests", "OrderedJSON", "TestSupport"], exclude: ["Oracle"]),
    tests(
      "BelfryEngine",
      [
        "BelfryEngine", "BelfryModel", "BelfryTestKit", "CivilTime", "DaemonModels", "MemoryStore", "OrderedJSON",
        "RecurrenceRules", "SystemThreads", "TestSupport", "Transport",
      ]),
    tests(
      "ItemEntry",
      ["BelfryEngine", "BelfryModel", "BelfryTestKit", "CivilTime", "ItemEntry", "MemoryStore", "NaturalDates"]),
    tests(
      "FileStore",
      [
        "BelfryEngine", "BelfryModel", "BelfryTestKit", "CivilTime", "FileStore", "JSONStore", "PlistStore",
        "RecurrenceRules",
      ],
      exclude: ["Fixtures"]),
    tests(
      "SQLiteStore",
      [
        "BelfryEngine", "BelfryModel", "BelfryTestKit", "CivilTime", "RecurrenceRules", "SQLRecords", "SQLiteStore",
        "TestSupport",
      ],
      exclude: ["Fixtures"]),
    tests(
      "PostgresStore",
      ["BelfryEngine", "BelfryModel", "BelfryTestKit", "ConfigKeys", "PostgresStore", "TestSupport"],
      exclude: ["Fixtures"]),
    tests(
      "VdirStore",
      [
        "BelfryEngine", "BelfryModel", "BelfryTestKit", "CivilTime", "Interchange", "SQLiteStore", "TestSupport",
        "VdirStore",
      ]),
    tests(
      "Conformance",
      [
        "BelfryEngine", "BelfryModel", "BelfryRuntime", "BelfryTestKit", "CivilTime", "ConfigKeys", "CurlTransport",
        "Digests", "MemoryStore", "MessageText", "MustacheTemplates", "OrderedJSON", "RecurrenceRules", "SQLiteStore",
        "TestSupport", "Transport", "WebAccess", "WebPush",
      ] + plugins.dropFirst()),
    tests(
      "Interchange",
      [
        "BelfryEngine", "BelfryModel", "BelfryTestKit", "CivilTime", "ICalendar", "Interchange", "MemoryStore",
        "OrderedJSON", "PropertyLists", "RecurrenceRules", "TestSupport",
      ], exclude: ["Fixtures"]),
    tests(
      "Year",
      [
        "BelfryConfig", "BelfryEngine", "BelfryModel", "BelfryTestKit", "CivilTime", "ConfigKeys", "PostgresStore",
        "RecurrenceRules", "SQLitePlugin", "SQLiteStore", "SystemThreads", "TestSupport", "Transport",
      ], exclude: ["Oracle"]),
    tests(
      "BelfryConfig",
      [
        "BelfryConfig", "BelfryEngine", "BelfryModel", "BelfryTestKit", "CivilTime", "ConfigKeys", "TestSupport",
        "Transport",
      ]),
    tests(
      "MessageText",
      ["BelfryModel", "BelfryTestKit", "CivilTime", "ConfigKeys", "MessageText", "MustacheTemplates", "OrderedJSON"]),
    tests(
      "WebhookSink",
      [
        "BelfryEngine", "BelfryModel", "BelfryTestKit", "CivilTime", "ConfigKeys", "MemoryStore",
        "MessageText", "MustacheTemplates", "OrderedJSON", "TestSupport", "Transport", "WebhookSink",
      ]),
    tests(
      "TelegramSink",
      [
        "BelfryEngine", "BelfryModel", "BelfryTestKit", "CivilTime", "ConfigKeys", "MemoryStore",
        "OrderedJSON", "TelegramSink", "TestSupport", "Transport",
      ]),
    tests(
      "EmailSink",
      [
        "BelfryEngine", "BelfryModel", "BelfryTestKit", "CivilTime", "ConfigKeys", "EmailSink",
        "MessageText", "MustacheTemplates", "OrderedJSON", "TestSupport", "Transport",
      ]),
    tests(
      "DesktopSink",
      [
        "BelfryEngine", "BelfryModel", "BelfryTestKit", "CivilTime", "ConfigKeys", "DesktopSink",
        "MemoryStore", "MessageText", "MustacheTemplates", "TestSupport", "Transport",
      ]),
    tests(
      "WebPushSink",
      [
        "BelfryEngine", "BelfryModel", "BelfryTestKit", "CSQLite", "CivilTime", "ConfigKeys", "MemoryStore",
        "OrderedJSON", "SQLiteStore", "TestSupport", "Transport", "WebAccess", "WebPush", "WebPushSink",
      ]),
    tests(
      "CurlTransport",
      [
        "BelfryEngine", "BelfryModel", "BelfryTestKit", "CivilTime", "ConfigKeys", "CurlTransport", "OrderedJSON",
        "TestSupport", "Transport",
      ]),
    tests(
      "BelfryDaemon",
      [
        "AnswerTokens", "BelfryDaemon", "BelfryEngine", "BelfryModel", "BelfryRuntime", "BelfryTestKit", "CivilTime",
        "ConfigKeys", "MemoryStore", "Transport",
      ]),
    tests("Passkeys", ["Digests", "Passkeys"]),
    tests("WebPush", ["Digests", "OrderedJSON", "TestSupport", "WebPush"], exclude: ["Oracle"]),
    tests(
      "WebAccess",
      [
        "BelfryEngine", "BelfryModel", "BelfryTestKit", "CSQLite", "ConfigKeys", "Digests", "PostgresStore",
        "SQLiteStore", "TestSupport", "WebAccess", "WebPush",
      ]),
    tests(
      "BelfryWeb",
      [
        "AnswerTokens", "BelfryEngine", "BelfryModel", "BelfryRuntime", "BelfryTestKit", "BelfryWeb", "CZlib",
        "CivilTime", "ConfigKeys", "Digests", "ItemEntry", "JSONStore", "MemoryStore", "OrderedJSON", "SQLiteStore",
        "SystemThreads", "Transport", "VdirStore", "WebAccess", "WebPush",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
      ]),
    tests(
      "Guide",
      ["BelfryEngine", "BelfryModel", "BelfryTestKit", "ConfigKeys", "MemoryStore", "TestSupport", "Transport"]),
    // The daemon with other leases, or a flaw, for tests alone.
    .executableTarget(
      name: "belfryd-trial",
      dependencies: [
        "BelfryDaemon", "BelfryEngine", "BelfryRuntime", "BelfryTestKit", "CLinuxEvents", "CivilTime",
        "ConfigKeys", "CurlTransport", "PostgresStore", "SQLRecords", "Transport",
      ],
      path: "Tests/TrialDaemon", swiftSettings: strict),
    tests(
      "EndToEnd", ["belfry", "belfry-web", "belfryd", "belfryd-trial", "BelfryTestKit", "DaemonModels", "TestSupport"],
      exclude: ["Fixtures"]),
  ] + stores + sinks
)

// The readers for libFuzzer, which provides the main function (see .ci/fuzz), are built with the tests that read their
// seeds.
let readers: [Target.Dependency] = [
  "BelfryConfig", "BelfryEngine", "BelfryModel", "BelfryTestKit", "BelfryWeb", "CivilTime", "ConfigKeys", "Digests",
  "Interchange", "ItemEntry", "JSONStore", "MemoryStore", "NaturalDates", "OrderedJSON", "Passkeys", "PlistStore",
  "PropertyLists", "RecurrenceRules", "Transport", "VdirStore", "WebAccess",
  .product(name: "HTTPTypes", package: "swift-http-types"),
]
package.targets.append(
  Context.environment["BELFRY_FUZZING"] == nil
    ? tests("Fuzz", readers + ["TestSupport"], exclude: ["EntryPoint.swift", "Seeds"])
    : .executableTarget(
      name: "belfry-fuzz", dependencies: readers, path: "Tests/FuzzTests", exclude: ["FuzzTests.swift", "Seeds"],
      swiftSettings: strict))

// `make bench` alone builds the benchmarks.
if Context.environment["BELFRY_BENCHMARKS"] != nil {
  package.targets += [
    .executableTarget(name: "belfry-bench", path: "Tests/Benchmarks/belfry-bench", swiftSettings: strict),
    .executableTarget(
      name: "belfry-bench-probe",
      dependencies: [
        "AnswerTokens", "BelfryEngine", "BelfryModel", "CivilTime", "ConfigKeys", "PostgresStore", "SQLiteStore",
        "WebAccess", "WebPush",
      ],
      path: "Tests/Benchmarks/belfry-bench-probe", swiftSettings: strict),
    .executableTarget(
      name: "belfry-bench-limits", path: "Tests/Benchmarks/belfry-bench-limits",
      linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("curl"), .linkedLibrary("pq")]),
    .executableTarget(
      name: "belfry-bench-server",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ], path: "Tests/Benchmarks/belfry-bench-server", swiftSettings: strict),
    .testTarget(
      name: "BenchTests", dependencies: ["belfry-bench"], path: "Tests/Benchmarks/BenchTests", swiftSettings: strict),
  ]
}

// The inner loop builds the suites that it runs, and no others: `make check SUITE=Name`.
if let suites = Context.environment["BELFRY_SUITE"]?.split(separator: ",").map({ "\($0)Tests" }) {
  package.targets.removeAll { $0.type == .test && !suites.contains($0.name) }
}
