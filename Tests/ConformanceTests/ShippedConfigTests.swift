import BelfryRuntime
import CivilTime
import Foundation
import Testing

@Suite("What comes with Belfry in Config")
struct ShippedConfigTests {
  private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The paths of all configs in the checkout.
  private static func paths() throws -> [String] {
    let examples = try FileManager.default.contentsOfDirectory(
      atPath: root.appendingPathComponent("Config/examples").path)
    return ["Config/belfry.yaml"] + examples.filter { $0.hasSuffix(".yaml") }.sorted().map { "Config/examples/\($0)" }
  }

  private static func assembly(_ path: String) throws -> Assembly {
    try Assembly(.file(root.appendingPathComponent(path).path), time: SystemTimeSource())
  }

  @Test("every config is in order and has a sink that is switched on", arguments: try paths())
  func isInOrder(path: String) throws {
    let assembly = try Self.assembly(path)
    #expect(assembly.warnings == [])
    #expect(!assembly.sinks.isEmpty)
  }

  @Test("there is a sample of every store and of every sink, and a fixture of each")
  func everyPluginHasSample() throws {
    let configurations = try Self.paths().map { try Self.assembly($0).configuration }
    for type in Registry.stores.map({ $0.type }) {
      #expect(
        configurations.contains { $0.store.type == type },
        "add a config with 'store: { type: \(type) … }' to Config/examples")
      #expect(
        StoreKind.allCases.contains { $0.rawValue == type },
        "add a fixture of the store '\(type)' to StoreFixtures.swift")
    }
    for plugin in Registry.sinks {
      #expect(
        configurations.contains { $0.sinks.contains { $0.type == plugin.type } },
        "add a config with a sink of 'type: \(plugin.type)' to Config/examples")
      #expect(
        (plugin as? any TestedSinkPlugin.Type)?.fixtures.isEmpty == false,
        "add a fixture of the sink '\(plugin.type)' to Tests/ConformanceTests")
    }
  }
}
