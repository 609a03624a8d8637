import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Copies that were delivered are updated when their reminder is answered, or open again.
@Suite struct EngineWithdrawalTests {
  private let fixture: WithdrawalFixture

  init() throws { fixture = try WithdrawalFixture() }

  @Test(
    "an answer is told to the copy that was delivered, by an update of its own",
    arguments: [
      (.acknowledge, "acknowledged"), (.snooze, "snoozed 'Milk' until Sat 21 Nov 2026 11:00 CET"),
      (.check, "checked 'Milk'"), (.delete, "deleted 'Milk'"),
      (.clearList, "deleted 1 item of the list 'Groceries'"),
      (.deleteList, "deleted the list 'Groceries'"),
    ] as [(ActionOperation.Word, String)])
  func answer(word: ActionOperation.Word, words: String) async throws {
    try await fixture.ring()
    let fired = try only(fixture.sink.attempts).message
    #expect(fired.isWithdrawable && fired.kind == .fired)
    try fixture.answers.answer(word)
    try await fixture.daemon.noticeChange()
    #expect(fixture.sink.attempts.count == 2)
    let told = try #require(fixture.sink.attempts.last).message
    let update = try #require(told.update)
    #expect(told.kind == .answered && told.id != fired.id && !told.isWithdrawable)
    #expect(update.messageID == fired.id && update.number == 1 && update.state == .answered)
    #expect(update.words == words && update.operation == word)
    #expect(update.action == word.rawValue && update.channel == .link)
    #expect(update.at.description == "2026-11-21T10:00:00+01:00")
    let (before, after) = (fired.contents[0], told.contents[0])
    #expect(after.reminderID == before.reminderID && after.item?.text == "Milk" && after.actions.isEmpty)
    #expect(try fixture.states() == ["fired delivered", "answered delivered"])
  }

  @Test("an answer that ends nothing is told to nobody")
  func none() async throws {
    try await fixture.ring()
    try fixture.answers.answer(.none)
    try await fixture.daemon.noticeChange()
    #expect(fixture.sink.attempts.count == 1)
  }

  @Test("a check, a deletion and an undone check by command are told like answers, without an action")
  func commands() async throws {
    try await fixture.ring()
    let belfry = fixture.belfry
    _ = try belfry.setChecked(true, [1])
    try await fixture.daemon.noticeChange()
    _ = try belfry.undo()
    try await fixture.daemon.noticeChange()
    _ = try belfry.redo()
    try await fixture.daemon.noticeChange()
    _ = try belfry.setChecked(false, [1])
    try await fixture.daemon.noticeChange()
    _ = try belfry.delete([1])
    try await fixture.daemon.noticeChange()
    #expect(
      fixture.told == [
        "1 answered checked", "2 open open again", "3 answered checked", "4 open open again", "5 answered deleted",
      ])
    #expect(fixture.updates.allSatisfy { $0.action == nil && $0.channel == nil })
    #expect(fixture.updates.map(\.operation) == [.check, nil, .check, nil, .delete])
    #expect(Set(fixture.sink.attempts.map(\.message.id)).count == 6)
  }

  @Test("a deleted list is told to the copies of its items and of its own reminder")
  func lists() async throws {
    _ = try fixture.belfry.remindList("Groceries", ListReminderDraft(at: wall("2026-11-21T10:00"), message: "Go"))
    try await fixture.ring()
    _ = try fixture.belfry.deleteList("Groceries")
    try await fixture.daemon.noticeChange()
    #expect(fixture.told.sorted() == ["1 answered deleted", "1 answered the list was deleted"])
  }

  @Test("a repeating item that was checked is told, and what it rang before; the next occurrence rings as ever")
  func repeating() async throws {
    try fixture.answers.add("Bread", rule: "FREQ=DAILY")
    try await fixture.ring()
    try await fixture.tick("11-22T10:00:00")
    _ = try fixture.belfry.setChecked(true, [2])
    try await fixture.daemon.noticeChange()
    #expect(fixture.told == ["1 answered checked", "1 answered checked"])
    try await fixture.tick("11-23T10:00:00")
    #expect(fixture.sink.attempts.last?.message.kind == .fired)
    #expect(fixture.told.count == 2)
  }

  @Test("nags and the ringing that they repeat are told together, once")
  func nags() async throws {
    try fixture.answers.add("Bread", nag: "15m")
    try await fixture.ring()
    try await fixture.tick("11-21T10:15:00")
    try fixture.answers.answer(.acknowledge, of: .item(2))
    try fixture.answers.answer(.acknowledge, of: .item(2))
    try await fixture.daemon.noticeChange()
    #expect(fixture.told == ["1 answered acknowledged", "1 answered acknowledged"])
    #expect(Set(fixture.updates.map(\.messageID)).count == 2)
  }

  @Test("an update knows the latest reply to its own copy among those of the same item")
  func receipts() async throws {
    let fixture = try WithdrawalFixture { attempt, _ in
      let (copy, update) = (attempt.message.contents[0].reminderID, attempt.message.update)
      return .delivered(reply: "\(copy) \(update?.number ?? 0)")
    }
    try fixture.answers.add("Bread", nag: "15m")
    try await fixture.ring()
    try await fixture.tick("11-21T10:15:00")
    let answer = try fixture.answers.answer(.acknowledge, of: .item(2))
    try await fixture.daemon.noticeChange()
    try fixture.answers.takeBack(answer)
    try await fixture.daemon.noticeChange()
    let updates = fixture.sink.attempts.compactMap { attempt in attempt.message.update.map { (attempt, $0.number) } }
    #expect(updates.map(\.1).sorted() == [1, 1, 2, 2])
    for (attempt, number) in updates {
      #expect(attempt.receipt == "\(attempt.message.contents[0].reminderID) \(number - 1)")
    }
  }

  @Test("no update without a copy: nothing was attempted, nothing was accepted, or the sink cannot change it")
  func noCopy() async throws {
    let quiet = try #require(TimeOfDay(parsing: "09:30"))
    let end = try #require(TimeOfDay(parsing: "12:00"))
    let mute = RecordingSink(canWithdraw: true)
    let refusing = RecordingSink(canWithdraw: true) { _, _ in .never(reason: "no") }
    let unreachable = RecordingSink(canWithdraw: true) { _, _ in .later(reason: "connection refused") }
    let mail = RecordingSink()
    let daemon = try TestDaemon(
      fixture.belfry,
      sinks: [
        ActiveSink(name: "mute", sink: mute, quietHours: QuietHours(from: quiet, to: end)),
        ActiveSink(name: "refusing", sink: refusing), ActiveSink(name: "unreachable", sink: unreachable),
        ActiveSink(name: "mail", sink: mail),
      ])
    try fixture.answers.engine.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    try fixture.answers.answer(.check)
    try await daemon.noticeChange()
    fixture.answers.engine.time.advance(by: 10_000)
    try await daemon.tick()
    #expect(mute.attempts.isEmpty && [refusing, unreachable, mail].allSatisfy { $0.attempts.count == 1 })
    #expect(try fixture.states() == ["fired discarded", "fired dead", "fired discarded", "fired delivered"])
  }

  @Test("a message of several reminders is told once all of them were answered, and opened when one is taken back")
  func groups() async throws {
    let fixture = try WithdrawalFixture(grouping: .all)
    for text in ["Bread", "Salt"] { try fixture.answers.add(text) }
    try await fixture.ring()
    try fixture.answers.answer(.acknowledge)
    _ = try fixture.belfry.setChecked(true, [2])
    try await fixture.daemon.noticeChange()
    #expect(fixture.sink.attempts.count == 1)
    let last = try fixture.answers.answer(.snooze, of: .item(3))
    try await fixture.daemon.noticeChange()
    #expect(
      fixture.sink.attempts.last?.message.contents.compactMap(\.update?.words)
        == ["acknowledged", "checked", "snoozed 'Salt' until Sat 21 Nov 2026 11:00 CET"])
    try fixture.answers.takeBack(last)
    try await fixture.daemon.noticeChange()
    let reopened = try #require(fixture.sink.attempts.last?.message)
    #expect(reopened.kind == .reopened)
    #expect(reopened.contents.map { $0.update?.state } == [.answered, .answered, .open])
    #expect(reopened.contents.map(\.actions.isEmpty) == [true, true, false])
  }

  @Test("an import leaves what has rung as it is, with its copies; undoing the import that brought it is told")
  func imports() async throws {
    let uuid = UUID()
    let store = fixture.answers.engine
    let bread = try store.imported("Bread", uuid: uuid, due: "2026-11-21T09:00:00Z", shouldRemind: true)
    try store.take([store.importedList("Groceries", [bread])])
    try await fixture.ring()
    #expect(fixture.sink.attempts.count == 2)
    let checked = try store.imported("Bread", uuid: uuid, isChecked: true)
    #expect(try store.take([store.importedList("Groceries", [checked])]).knownCount == 1)
    try await fixture.daemon.noticeChange()
    #expect(fixture.told.isEmpty)
    _ = try fixture.belfry.undo()
    try await fixture.daemon.noticeChange()
    #expect(fixture.told == ["1 answered deleted"])
  }

  @Test("messages older than their actions stay as they are")
  func expired() async throws {
    try await fixture.ring()
    fixture.answers.engine.time.advance(by: 7 * 86_400 + 1)
    _ = try fixture.belfry.setChecked(true, [1])
    try await fixture.daemon.noticeChange()
    #expect(fixture.told.isEmpty)
  }
}

/// A daemon with one sink that can change what it sent, and an item that rings at 10:00 in Zurich.
struct WithdrawalFixture {
  let answers: AnswerFixture
  let sink: RecordingSink
  let daemon: TestDaemon

  var belfry: Belfry { answers.engine.belfry }

  init(
    grouping: MessageGrouping = .none, quietHours: QuietHours? = nil, onFailure: ActiveSink? = nil,
    store: (any ItemStore)? = nil, answer: @escaping RecordingSink.Answer = { _, _ in .delivered }
  ) throws {
    answers = try AnswerFixture(store: store)
    sink = RecordingSink(grouping: grouping, canWithdraw: true, answer: answer)
    try answers.add()
    var fixture = answers.engine
    fixture.settings.routes = [Route(sinks: ["phone"])]
    let phone = ActiveSink(name: "phone", sink: sink, quietHours: quietHours, onFailure: onFailure?.name)
    daemon = try TestDaemon(fixture.belfry, sinks: [phone] + [onFailure].compactMap(\.self))
  }

  func ring() async throws { try await tick("11-21T10:00:00") }

  /// Lets the daemon tick at a time in Zurich.
  func tick(_ time: String) async throws {
    try answers.engine.setClock("2026-\(time)+01:00")
    try await daemon.tick()
  }

  /// The updates that the sink got.
  var updates: [ReminderUpdate] { sink.attempts.compactMap(\.message.update) }

  /// The same, each as its number, state and words.
  var told: [String] { updates.map { "\($0.number) \($0.state.rawValue) \($0.words)" } }

  /// The kind of each delivery's message and its state, oldest first.
  func states() throws -> [String] {
    var states: [String] = []
    try answers.engine.store.read { view in
      try view.forEachDelivery(state: nil, limit: nil) { delivery, message in
        states.append("\(message.kind.rawValue.dropFirst("reminder.".count)) \(delivery.state.name)")
      }
    }
    return states.reversed()
  }
}

extension TestDaemon {
  /// Follows a change by another process, as between two ticks, with all deliveries that follow from it.
  func noticeChange() async throws {
    try scheduler.storeChanged()
    try await settle()
  }
}
