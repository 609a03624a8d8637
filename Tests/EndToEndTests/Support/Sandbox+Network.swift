import Foundation
import Testing

extension Sandbox {
  /// A sandbox with these sinks, one on each line: `hook: { type: webhook, … }`.
  convenience init(sinks: [String], more: String = "") throws {
    let lines = sinks.map { "  \($0)\n" }.joined()
    try self.init(config: "store: { type: sqlite, path: store.sqlite }\nsinks:\n\(lines)\(more)")
  }

  /// Adds items that became due a moment ago, so that they fire when a daemon starts.
  ///
  /// - Parameter options: further options of `add`.
  func addDueItems(_ texts: [String], _ options: String...) async throws {
    let due = Date(timeIntervalSinceNow: -60).formatted(.iso8601)
    // With a clock that is behind, the due time is still in the future.
    let lines = Data(texts.map { "\($0)\n" }.joined().utf8)
    let words = [try Programs.belfry, "add", "-", "--due", due] + options
    let added = try await run(words, RunOptions(input: lines, clock: "-1h"))
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
  /// The value of a member that is an instant, in seconds since 1970.
  func moment(_ key: String) throws -> Double? {
    try self[key]?.text.map { try Date($0, strategy: .iso8601).timeIntervalSince1970 }
  }
}
