import BelfryTestKit
import Foundation
import Synchronization
import Testing

/// Reminders that are answered over several channels at once, while the daemon and the web face are killed at random.
///
/// A run is one reminder. Its item became due a minute ago, so that the next daemon rings it at a webhook, which keeps
/// the tokens and often refuses or forgets the message. Then a few people press at once, each until a reply comes, and
/// each press is repeated in the end. One run in eight is left unanswered. Eight runs are under way at a time, over the
/// store and the programs of all, so that a thousand take minutes.
final class AnswerChaosRun: Sendable {
  /// A run that has ended.
  struct Reminder {
    let text: String
    var replies: [Reply] = []

    /// The time by which an answer was in the store.
    var answeredAt: Double? { replies.map(\.time).min() }
  }

  /// The first whole reply to a press, or one to a repetition.
  struct Reply {
    let press: ChaosPress
    let text: String
    /// In seconds since 1970.
    let time: Double
  }

  private static let (atOnce, unanswered) = (8, 8)

  let box: Sandbox
  let programs: ChaosPrograms
  let arrivals: ChaosArrivals
  private let count: Int
  private let seed: UInt64
  private let access: String
  private let progress = Mutex((begun: 0, ended: [Reminder]()))

  init(_ count: Int, on store: DiskStore, seed: UInt64) async throws {
    (self.count, self.seed) = (count, seed)
    box = try Sandbox()
    let words = [Programs.python, "-B", Programs.fixture("chaos_collector.py"), "collected", "\(seed)", "1"]
    _ = try box.start(
      bytes: words.map { Array($0.utf8) },
      RunOptions(output: .writing(box.path("ports")), messages: .writing(box.path("collector.log")), deadline: 7_200))
    arrivals = ChaosArrivals(box.path("collected"))
    let box = box
    try await waitUntil("the collector listens: \(box.text("collector.log"))") { !box.lines("ports").isEmpty }
    let port = try #require(box.lines("ports")[0].split(separator: " ").first)
    try box.write(
      """
      \(store.config)
      missed: { policy: all }
      sinks: { hook: { type: webhook, url: "http://127.0.0.1:\(port)/hook", timeout: 3s, concurrency: 8 } }
      web: { listen: 127.0.0.1:0, public_url: "https://belfry.example.org" }
      \(ChaosPress.Action.config)
      """, to: "belfry.yaml")
    let added = try await box.belfry("access", "add", "chaos", "--scope", "answer")
    access = try #require(added.output.firstMatch(of: #/bfy_\S+/#), "\(added)").output.description
    programs = try await ChaosPrograms(box, seed: seed)
  }

  func run() async throws -> [Reminder] {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while self.progress.withLock({ $0.ended.count }) < self.count { try await self.programs.killOne() }
      }
      for _ in 0..<Self.atOnce { group.addTask { while let number = self.next() { try await self.ring(number) } } }
      try await group.waitForAll()
    }
    return progress.withLock { $0.ended }
  }

  /// Stops the programs, and rings all reminders of the next minutes.
  ///
  /// - Returns: their texts.
  func ringLast() async throws -> Set<String> {
    try await programs.stop()
    let count = try await arrivals.all.count
    let last = try await box.belfry("run", "--once", options: .at("+5m"))
    #expect(last.isDone || last.status == 75, "\(last)")
    return Set(try await arrivals.all.dropFirst(count).compactMap(\.ringing))
  }

  private func next() -> Int? {
    progress.withLock { progress in
      guard progress.begun < count else { return nil }
      progress.begun += 1
      return progress.begun
    }
  }

  private func ring(_ number: Int) async throws {
    var random = SeededGenerator(seed: seed &* 1_000_000 &+ UInt64(number))
    var reminder = Reminder(text: "Run \(number).")
    // With a clock that is behind, the due time is still in the future.
    let due = Date(timeIntervalSinceNow: -60).formatted(.iso8601)
    try await box.belfry("add", reminder.text, "--due", due, "--nag", "2m", options: .at("-1h")).requireDone()
    var body: JSON?
    try await waitUntil("\(reminder.text) rings") { [text = reminder.text] in
      body = try await arrivals.first(of: text)
      return body != nil
    }
    let item = try RungItem(try #require(body))
    if number % Self.unanswered != 0 {
      let presses = ChaosPress.several(using: &random).map { press in
        (press, Duration.milliseconds(Int.random(in: 0...300, using: &random)))
      }
      reminder.replies = try await withThrowingTaskGroup(of: Reply.self) { group in
        for (press, delay) in presses {
          group.addTask {
            try await Task.sleep(for: delay)
            return try await self.press(press, item)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      // An act is no repetition of another.
      for press in Set(presses.map(\.0)) where press.way != .act {
        reminder.replies.append(try await self.press(press, item))
      }
    }
    progress.withLock { [reminder] in $0.ended.append(reminder) }
  }

  private func press(_ press: ChaosPress, _ item: RungItem) async throws -> Reply {
    var text: String?
    try await waitUntil("\(press) gets a reply") {
      text = try await press.carryOut(item, programs.face, access: access)
      return text != nil
    }
    return Reply(press: press, text: try #require(text), time: Date().timeIntervalSince1970)
  }
}
