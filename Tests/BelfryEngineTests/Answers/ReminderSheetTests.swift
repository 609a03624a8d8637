import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The sheet of a reminder, from which its page is made.
@Suite struct ReminderSheetTests {
  private let bench: AnswerBench

  init() throws {
    bench = try AnswerBench()
    try bench.add(nag: "15m")
  }

  private func sheet(_ reminder: Reminder? = nil) throws -> ReminderSheet {
    try bench.bench.belfry.sheet(of: try reminder?.id ?? Check.present(bench.fired().last).id)
  }

  @Test("it has the content as it was sent, how late it came, and each action with what it would destroy")
  func content() throws {
    try bench.ring("10:07")
    try bench.bench.edit { $0.text = "Oat milk" }
    let sheet = try sheet()
    #expect(sheet.content.text == "Milk" && sheet.content.listName == "Groceries" && sheet.lateSeconds == 420)
    #expect(sheet.offers.map(\.number) == Array(1...8) && sheet.offers.allSatisfy { $0.obstacle == nil })
    #expect(
      sheet.offers.compactMap(\.consequence) == [
        "Deletes 'Oat milk'.", "Deletes what is on the list 'Groceries'.",
        "Deletes the list 'Groceries' with what is on it.",
      ])
    #expect(sheet.answer == nil && sheet.standing == nil && sheet.latestAnswer == 0 && sheet.takeBackEnd == nil)
  }

  @Test("it counts how late the first delivery came, once there is one")
  func delivered() throws {
    try bench.ring("10:01")
    let delivery = try only(bench.bench.deliveries())
    try bench.bench.setClock("2026-11-21T10:30:00+01:00")
    let now = bench.bench.time.now
    try bench.bench.store.write { transaction in
      _ = try transaction.closeDelivered(
        by: AttemptRecord(deliveryID: delivery.id, startedAt: now, outcome: .delivered), at: now)
    }
    #expect(try sheet().lateSeconds == 1_800)
  }

  @Test("the answer in force, what it leaves to press, and how long it can be taken back")
  func answered() throws {
    try bench.ring("10:00")
    let answer = try bench.answer(.snooze)
    let sheet = try sheet()
    #expect(sheet.answer == answer && sheet.latestAnswer == answer.id && sheet.standing == nil)
    #expect(sheet.takeBackEnd == answer.date.addingTimeInterval(86_400))
    let open = sheet.offers.filter { $0.obstacle == nil }.map(\.action.identifier)
    #expect(open == ["check", "edit", "delete", "clear_list", "delete_list"])
    bench.bench.time.advance(by: 86_401)
    #expect(try self.sheet().takeBackEnd == nil)
  }

  @Test("what became of the item is said in words")
  func standing() throws {
    try bench.ring("10:00")
    _ = try bench.bench.belfry.setChecked(true, [1])
    #expect(try sheet().standing == "'Milk' was checked Sat 21 Nov 2026 10:00 CET")
    #expect(try sheet().offers.first { $0.action.identifier == "edit" }?.obstacle == nil)
    _ = try bench.bench.belfry.delete([1])
    let gone = try sheet()
    #expect(gone.standing == "the item was deleted" && gone.content.text == "Milk")
    #expect(gone.offers.allSatisfy { $0.obstacle == "the item was deleted" })
  }

  @Test("a repeating item has moved on")
  func movedOn() throws {
    try bench.add("Walk", due: "2026-11-21T10:00", rule: "FREQ=DAILY")
    try bench.ring("10:00")
    let first = try Check.present(bench.fired(.item(2)).first)
    _ = try bench.bench.belfry.setChecked(true, [2])
    #expect(try sheet(first).standing == "'Walk' has moved on to Sun 22 Nov 2026 10:00 CET")
  }

  @Test("a reminder that has not rung shows its item as it is; one of which nothing is left is not found")
  func withoutMessage() throws {
    let scheduled = try only(bench.bench.store.read { try $0.reminders(of: .item(1), at: nil, state: .scheduled) })
    let sheet = try sheet(scheduled)
    #expect(sheet.content.text == "Milk" && sheet.lateSeconds == 0)
    _ = try bench.bench.belfry.delete([1])
    #expect(errorKind { try self.sheet(scheduled) } == .notFound)
    #expect(errorKind { try bench.bench.belfry.sheet(of: UUID()) } == .notFound)
  }

  @Test("reading it changes nothing")
  func reading() throws {
    try bench.ring("10:00")
    let digest = try bench.bench.store.read(StoreDigest.init)
    _ = try sheet()
    #expect(try bench.bench.store.read(StoreDigest.init) == digest)
  }

  @Test("over a reminder only its own answers are taken back, and undo goes on to take back the last command")
  func ownAnswers() throws {
    try bench.add("Bread")
    try bench.ring("10:00")
    let (milk, bread) = (try Check.present(bench.fired().last), try Check.present(bench.fired(.item(2)).last))
    let answer = try bench.answer(.check, on: milk)
    #expect(errorKind { try bench.bench.belfry.takeBack(answer.id, over: bread.id) } == .notFound)
    #expect(errorKind { try bench.bench.belfry.takeBack(99, over: milk.id) } == .notFound)
    let command = try bench.bench.store.read { try $0.undoRecords(.undo).first?.content }
    #expect(try bench.bench.belfry.takeBack(answer.id, over: milk.id).answer.takenBackAt != nil)
    #expect(try bench.items() == ["1 Milk", "2 Bread"])
    #expect(try command != nil && bench.bench.store.read { try $0.undoRecords(.undo).first?.content } == command)
  }
}
