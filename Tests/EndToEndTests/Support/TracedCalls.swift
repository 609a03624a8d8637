import Foundation

/// The calls on a store's files of the thread that makes most of them, by strace.
struct TracedCalls {
  /// One of them: its kind, and its number among those of its kind.
  struct Call: CustomStringConvertible {
    let kind: String
    let number: Int

    /// The fault for strace to inject: SIGKILL at this call.
    var kill: String { "\(kind):signal=KILL:when=\(number)" }
    var description: String { "\(kind) \(number)" }
  }

  private static let isDeep = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1"
  // How many of a kind are chosen; in writing many pages they are much alike.
  private static let most = 6

  private let counts: [String: Int]

  init(_ trace: [Substring]) {
    let calls = trace.compactMap { $0.firstMatch(of: #/^(\d+) +(\w+)\(/#) }
    let threads = Dictionary(grouping: calls, by: \.1)
    let kinds = (threads.values.max { $0.count < $1.count } ?? []).map { ($0.2, 1) }
    counts = Dictionary(kinds.map { (String($0), $1) }, uniquingKeysWith: +)
  }

  /// Calls after those that were made before: all of them in a deep test, otherwise some of each kind, with the first
  /// and the last one.
  func chosen(after earlier: TracedCalls? = nil) -> [Call] {
    counts.sorted { $0.key < $1.key }.flatMap { kind, count in
      let first = (earlier?.counts[kind] ?? 0) + 1
      guard first <= count else { return [Call]() }
      let steps = Self.isDeep ? count - first : min(count - first, Self.most - 1)
      return (0...steps).map { Call(kind: kind, number: first + $0 * (count - first) / max(1, steps)) }
    }
  }
}
