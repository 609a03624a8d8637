// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
]

/// A module of the house, with the rooms below that it may enter.
func room(_ name: String, in folder: String? = nil, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies, path: folder.map { "Sources/\($0)/\(name)" }, swiftSettings: strict)
}

/// A library of the system's, by the package that has its headers.
func debian(_ name: String, _ package: String) -> Target { .systemLibrary(name: name, providers: [.apt([package])]) }

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

// Adding a store or a sink: one word here, one line in BelfryPlugins.
let stores = ["SQLiteStore", "JSONStore", "PlistStore"]
let sinks = ["StdoutSink", "EmailSink", "WebhookSink"]

// A program without libraries to load starts in a third of the time. It takes a static standard library, which no
// manifest can ask for, and libsqlite3.a: `make` has both.
let everyday: [LinkerSetting] =
  Context.environment["BELFRY_STATIC"] == nil
  ? [] : [.unsafeFlags(["-static-executable", "-use-ld=lld"], .when(configuration: .release))]

let package = Package(
  name: "belfry",
  products: [
    .executable(name: "belfry", targets: ["belfry"]),
    .executable(name: "belfryd", targets: ["belfryd"]),
    .library(name: "BelfryCore", targets: ["BelfryCore"]),
    .library(name: "BelfryTestKit", targets: ["BelfryTestKit"]),
    .library(name: "MemoryStore", targets: ["MemoryStore"]),
    .library(name: "RecurrenceRules", targets: ["RecurrenceRules"]),
    .library(name: "OrderedJSON", targets: ["OrderedJSON"]),
    .library(name: "PropertyLists", targets: ["PropertyLists"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
  ],
  targets: [
    room("RecurrenceRules", []),
    room("OrderedJSON", []),
    room("PropertyLists", []),
    room("Digests", ["CNettle"]),
    debian("CNettle", "nettle-dev"),
    room("BelfryCore", ["Digests", "RecurrenceRules", "OrderedJSON"]),

    room("SQLiteStore", in: "Stores", ["BelfryCore", "OrderedJSON", "RecurrenceRules", "CSQLite"]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    room("MemoryStore", in: "Stores", ["BelfryCore"]),
    room("FileStore", in: "Stores", ["BelfryCore", "MemoryStore"]),
    room(
      "PlistStore", in: "Stores", ["BelfryCore", "FileStore", "MemoryStore", "PropertyLists"]),
    room("JSONStore", in: "Stores", ["BelfryCore", "FileStore", "MemoryStore"]),
    room("StdoutSink", in: "Sinks", ["BelfryCore", "OrderedJSON"]),
    room("CurlTransport", ["BelfryCore", "CCurl", "CLinuxEvents"]),
    .target(name: "CCurl"),
    room("MessageText", ["BelfryCore", "OrderedJSON", "RecurrenceRules"]),
    room(
      "MustacheTemplates",
      ["BelfryCore", "MessageText", "OrderedJSON", .product(name: "Mustache", package: "swift-mustache")]),
    room("WebhookSink", in: "Sinks", ["BelfryCore", "Digests", "MessageText", "OrderedJSON", "RecurrenceRules"]),
    room("EmailSink", in: "Sinks", ["BelfryCore", "MessageText", "RecurrenceRules"]),
    room("Interchange", ["BelfryCore", "OrderedJSON", "PropertyLists", "RecurrenceRules"]),

    room("BelfryConfig", ["BelfryCore", "CYaml"]),
    debian("CYaml", "libyaml-dev"),
    room("BelfryPlugins", ["BelfryCore", "BelfryConfig"] + (stores + sinks).map { .byName(name: $0) }),

    .target(name: "CLinuxEvents"),
    room(
      "BelfryCLI",
      ["BelfryCore", "BelfryPlugins", "CLinuxEvents", "Interchange", "OrderedJSON", "RecurrenceRules", arguments]),
    room(
      "BelfryDaemon",
      [
        "BelfryCore", "BelfryPlugins", "CurlTransport", "CLinuxEvents", "MustacheTemplates", "OrderedJSON", arguments,
      ]),
    .executableTarget(
      name: "belfry", dependencies: ["BelfryCLI"], swiftSettings: strict, linkerSettings: everyday),
    .executableTarget(name: "belfryd", dependencies: ["BelfryDaemon"], swiftSettings: strict),
    .executableTarget(name: "belfry-bench", path: "Tests/Benchmarks/belfry-bench", swiftSettings: strict),
    .executableTarget(
      name: "belfry-bench-probe", dependencies: ["BelfryCore", "SQLiteStore"],
      path: "Tests/Benchmarks/belfry-bench-probe", swiftSettings: strict),
    .executableTarget(
      name: "belfry-bench-limits", path: "Tests/Benchmarks/belfry-bench-limits",
      linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("curl")]),
    .testTarget(
      name: "BenchTests", dependencies: ["belfry-bench"], path: "Tests/Benchmarks/BenchTests", swiftSettings: strict),

    .target(
      name: "BelfryTestKit", dependencies: ["BelfryCore", "OrderedJSON", "RecurrenceRules"],
      path: "Tests/BelfryTestKit", swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["BelfryCore", "BelfryTestKit", "OrderedJSON"], path: "Tests/Support",
      swiftSettings: strict),
    tests("RecurrenceRules", ["RecurrenceRules", "BelfryTestKit", "TestSupport"], exclude: ["Oracle"]),
    tests("OrderedJSON", ["OrderedJSON", "BelfryTestKit", "TestSupport"]),
    tests("PropertyLists", ["PropertyLists", "TestSupport"], exclude: ["Fixtures"]),
    tests(
      "Interchange",
      ["Interchange", "BelfryCore", "BelfryTestKit", "MemoryStore", "RecurrenceRules", "TestSupport", "OrderedJSON"],
      exclude: ["Fixtures"]),
    tests(
      "BelfryCore",
      ["BelfryCore", "BelfryTestKit", "Digests", "MemoryStore", "OrderedJSON", "RecurrenceRules", "TestSupport"]),
    tests(
      "Conformance",
      [
        "BelfryCore", "BelfryTestKit", "BelfryPlugins", "CurlTransport", "MemoryStore", "MessageText",
        "MustacheTemplates", "OrderedJSON", "RecurrenceRules", "TestSupport",
      ]
        + (stores + sinks).map { .byName(name: $0) }),
    tests(
      "FileStore", ["FileStore", "JSONStore", "PlistStore", "BelfryCore", "BelfryTestKit"], exclude: ["Fixtures"]),
    tests(
      "SQLiteStore", ["SQLiteStore", "BelfryCore", "BelfryTestKit", "RecurrenceRules", "TestSupport"],
      exclude: ["Fixtures"]),
    tests(
      "Year", ["BelfryCore", "BelfryTestKit", "SQLiteStore", "RecurrenceRules", "TestSupport"], exclude: ["Oracle"]),
    tests("BelfryConfig", ["BelfryConfig", "BelfryCore", "BelfryTestKit", "TestSupport"]),
    tests("MessageText", ["BelfryCore", "BelfryTestKit", "MessageText", "MustacheTemplates", "OrderedJSON"]),
    tests(
      "WebhookSink",
      [
        "BelfryConfig", "BelfryCore", "BelfryTestKit", "MessageText", "MustacheTemplates", "OrderedJSON", "WebhookSink",
        "TestSupport",
      ]),
    tests(
      "EmailSink",
      [
        "BelfryConfig", "BelfryCore", "BelfryTestKit", "EmailSink", "MessageText", "MustacheTemplates", "OrderedJSON",
        "TestSupport",
      ]),
    tests("CurlTransport", ["CurlTransport", "BelfryCore", "BelfryTestKit", "TestSupport"]),
    tests("BelfryDaemon", ["BelfryCore", "BelfryDaemon", "BelfryTestKit", "MemoryStore"]),
    tests("Guide", ["BelfryCore", "BelfryTestKit", "MemoryStore", "TestSupport"]),
    tests("EndToEnd", ["belfry", "belfryd", "BelfryTestKit", "TestSupport"], exclude: ["Fixtures"]),
  ]
)

// Only libFuzzer has a main for it: see .ci/fuzz.
if Context.environment["BELFRY_FUZZING"] != nil {
  package.targets.append(
    .executableTarget(
      name: "belfry-fuzz",
      dependencies: [
        "BelfryConfig", "BelfryCore", "Interchange", "JSONStore", "OrderedJSON", "PlistStore", "PropertyLists",
        "RecurrenceRules",
      ], path: "Tests/Fuzz", swiftSettings: strict))
}
