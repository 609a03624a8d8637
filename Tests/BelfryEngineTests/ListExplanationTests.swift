import BelfryTestKit
import Foundation
import OrderedJSON
import RecurrenceRules
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Why a list's own reminder rings or does not. It is 09:00 in Zurich on 21 November 2026.
@Suite struct ListExplanationTests {
  private let fixture = EngineFixture()

  private func remind(_ at: String?, rule: String? = nil, message: String? = nil) throws {
    _ = try fixture.belfry.remindList(
      "Groceries",
      at.map { ListReminderDraft(at: try wall($0), rule: try rule.map { try RecurrenceRule($0) }, message: message) })
  }

  private func explain(_ sinks: [ActiveSink] = []) throws -> Explanation {
    try fixture.belfry.read { reading in
      let list = try #require(try reading.view.list(named: "Groceries"))
      return try reading.explain(list, settings: fixture.settings, sinks: sinks)
    }
  }

  @Test("a list without a reminder of its own says how to give it one, whatever its items ring")
  func none() throws {
    try fixture.add(due: "2026-11-21T10:00")
    let explanation = try explain()
    #expect(
      explanation.verdict
        == "It will not ring: the list has no reminder of its own; belfry list remind Groceries --at WHEN gives it one."
    )
    #expect(explanation.reminders.isEmpty && explanation.reasons.first == "no due date")
  }

  @Test("one to come says when, where to, and what is open")
  func coming() throws {
    try fixture.add("Milk")
    try fixture.add("Bread", due: "2026-11-21T09:30")
    _ = try fixture.belfry.setChecked(true, [1])
    try remind("2026-11-21T10:00", rule: "FREQ=DAILY")
    let explanation = try explain([ActiveSink(name: "sink", sink: RecordingSink())])
    #expect(explanation.verdict == "It will ring Sat 21 Nov 2026 10:00 CET, in 1 h.")
    #expect(explanation.reasons.contains("1 of 2 items open; rings while any is open"))
    #expect(
      explanation.reasons.contains { $0.hasPrefix("repeats daily") } && explanation.reasons.last == "goes to sink")
    #expect(try only(explanation.reminders).reminder.state == .scheduled)
  }

  @Test("one with nothing to say tells when it rings if that changes")
  func silent() throws {
    _ = try fixture.belfry.createList("Groceries")
    try remind("2026-11-21T10:00")
    #expect(
      try explain().verdict
        == "Nothing on the list is open: it rings Sat 21 Nov 2026 10:00 CET if anything is open then.")
  }

  @Test("one that rang shows where it went, with every attempt")
  func rung() async throws {
    try fixture.add("Milk")
    try remind("2026-11-21T10:00", message: "Time to shop")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    let sinks = [
      ActiveSink(name: "sink", sink: RecordingSink(inSequence: [.later(reason: "HTTP 503"), .delivered(reply: "ok")]))
    ]
    let daemon = try TestDaemon(fixture.belfry, sinks: sinks)
    for clock in ["10:00:00", "10:00:10"] {
      try fixture.setClock("2026-11-21T\(clock)+01:00")
      try await daemon.tick()
    }
    let explanation = try explain(sinks)
    #expect(explanation.verdict == "It rang Sat 21 Nov 2026 10:00 CET and will not ring again.")
    let delivery = try only(only(explanation.reminders).deliveries)
    #expect(delivery.delivery.state == .delivered && delivery.attempts.map(\.words) == ["HTTP 503", "ok"])
    let json = try fixture.belfry.read { $0.json(explanation) }
    #expect(json["item"] == .null && json["list"]?["name"] == .string("Groceries"))
    #expect(json["reminders"]?.arrayValue?.count == 1)
  }

  @Test("one whose time passed while nothing was running says so")
  func missed() async throws {
    try fixture.add("Milk")
    try remind("2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:01:00+01:00")
    #expect(
      try explain().verdict == "It was due Sat 21 Nov 2026 10:00 CET; it rings as soon as the daemon runs.")
  }
}
