import Foundation
import Testing

extension Sandbox {
  /// A sandbox whose config has these sinks, a line each: `hook: { type: webhook, … }`.
  convenience init(sinks: [String], more: String = "") throws {
    let lines = sinks.map { "  \($0)\n" }.joined()
    try self.init(config: "store: { type: sqlite, path: store.sqlite }\nsinks:\n\(lines)\(more)")
  }

  /// Keeps items that have become due a moment ago, so that they ring as soon as a daemon looks.
  func addDueItems(_ texts: [String]) async throws {
    let due = Date(timeIntervalSinceNow: -60).formatted(.iso8601)
    // A clock that is behind, so that the moment is still to come.
    let lines = Data(texts.map { "\($0)\n" }.joined().utf8)
    let added = try await belfry("add", "-", "--due", due, options: RunOptions(input: lines, clock: "-5m"))
    try #require(added.isDone, "\(added)")
  }

  /// The deliveries of a sink, oldest first.
  func deliveries(of sink: String) async throws -> [JSON] {
    let all = try #require(try await json("deliveries").elements)
    return all.filter { $0["sink"] == .text(sink) }.sorted { ($0["id"]?.integer ?? 0) < ($1["id"]?.integer ?? 0) }
  }

  /// A config line of a sink that mails to a server without TLS.
  static func mailSink(_ url: String, to: [String] = ["me@example.org"], more: String = "") -> String {
    "mail: { type: email, url: \"\(url)\", tls: none, from: belfry@example.org, to: \(to)\(more) }"
  }
}

extension JSON {
  /// The moment that a member names, in seconds since 1970.
  func moment(_ key: String) throws -> Double? {
    try self[key]?.text.map { try Date($0, strategy: .iso8601).timeIntervalSince1970 }
  }
}
