import BelfryConfig
import BelfryEngine
import ConfigKeys
import Foundation
import TestSupport
import Testing

@Suite("What describes the config elsewhere")
struct ReferenceTests {
  @Test("every key has a summary of one line, and no name stands twice in a section")
  func summaries() {
    for section in Self.sections(of: Fixture.schema.keys) {
      let names = section.keys.flatMap(\.names)
      #expect(Set(names).count == names.count, "\(section.path)")
      for key in section.keys {
        #expect(key.summary.hasSuffix(".") && !key.summary.contains("\n"), "\(section.path).\(key.names)")
        #expect(!key.isRequired || key.defaultText == nil, "\(section.path).\(key.names)")
      }
    }
  }

  @Test("a key is declared where it is read, in that order, with the property's value as its default")
  func declaration() {
    let keys = MailStub.keys
    #expect(keys.map(\.name) == ["url", "tls", "to", "subject", "timeout", "concurrency", "cc", "quiet_from"])
    #expect(keys.map(\.defaultText) == [nil, "required", "[]", nil, "15s", "16", nil, nil])
    #expect(keys.filter(\.isRequired).map(\.name) == ["url"])
  }

  @Test("the defaults that a reference shows are the defaults")
  func defaults() throws {
    let text = Fixture.schema.keys.compactMap { Self.notation($0) }.joined(separator: "\n")
    #expect(text.contains("default_time: \"09:00\"") && text.contains("history: 30d"))
    #expect(text.contains("missed: { policy: once, grace: 10m, max_age: 1w }"))
    let configuration = try Fixture.load(text)
    #expect(configuration.settings == Settings())
    #expect(configuration.warnings == [])
  }

  @Test("the commented sample has every key, and apart from its category and routes says what holds without it")
  func sample() throws {
    let file = Checkout.file("Config/belfry.yaml")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
      $0.drop { $0 == " " || $0 == "-" || $0 == "#" }
    }
    for section in Self.sections(of: Fixture.schema.keys, plugins: ["sqlite", "stdout"]) {
      for name in section.keys.flatMap(\.names) {
        #expect(lines.contains { $0.hasPrefix("\(name):") }, "\(section.path).\(name)")
      }
    }
    let configuration = try Fixture.loader().load(file: file.path)
    var settings = configuration.settings
    settings.categories = []
    settings.routes = []
    #expect(settings == Settings())
    let standard = try Fixture.loader().loadDefault()
    #expect(configuration.store.path == standard.store.path)
    #expect(configuration.sinks.map(\.name) == standard.sinks.map(\.name))
    #expect(configuration.sinks.map(\.retryMaxAge) == standard.sinks.map(\.retryMaxAge))
  }

  private struct Section {
    let path: String
    let keys: [ConfigKey]
  }

  /// Every section described by the keys, for the named plug-ins or all.
  private static func sections(
    of keys: [ConfigKey], at path: String = "", plugins: [String]? = nil
  ) -> [Section] {
    [Section(path: path, keys: keys)]
      + keys.flatMap { sections(of: $0.shape, at: "\(path).\($0.name)", plugins: plugins) }
  }

  private static func sections(of shape: ConfigShape, at path: String, plugins: [String]?) -> [Section] {
    switch shape {
    case .section(let keys): return sections(of: keys, at: path, plugins: plugins)
    case .list(let element), .map(let element): return sections(of: element, at: path, plugins: plugins)
    case .plugin(let common, let known):
      return known.filter { plugins?.contains($0.type) ?? true }
        .flatMap { sections(of: common + $0.keys, at: "\(path)(\($0.type))", plugins: plugins) }
    default: return []
    }
  }

  /// A key with its default, as the config would have it; `nil` if there is none to write.
  private static func notation(_ key: ConfigKey) -> String? {
    if let text = key.defaultText { return "\(key.name): \(text)" }
    guard case .section(let keys) = key.shape, !keys.contains(where: \.isRequired) else { return nil }
    let inner = keys.compactMap { notation($0) }
    return inner.isEmpty ? nil : "\(key.name): { \(inner.joined(separator: ", ")) }"
  }
}
