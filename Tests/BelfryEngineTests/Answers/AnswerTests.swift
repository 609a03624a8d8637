import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The effect of each action of a reminder. It is 10:00 in Zurich, and item 1 on the list Groceries has just rung.
@Suite struct AnswerTests {
  private var fixture: AnswerFixture

  init() throws {
    fixture = try AnswerFixture()
    try fixture.add()
    try fixture.add("Oats", due: nil)
    try fixture.ring("10:00")
  }

  @Test(
    "an action has one effect, and is kept with it",
    arguments: [
      (.none, "noted", ["1 Milk", "2 Oats"]), (.acknowledge, "acknowledged", ["1 Milk", "2 Oats"]),
      (.check, "checked 'Milk'", ["1 Milk checked", "2 Oats"]),
      (.snooze, "snoozed 'Milk' until Sat 21 Nov 2026 11:00", ["1 Milk", "2 Oats"]),
      (.delete, "deleted 'Milk'", ["2 Oats"]), (.clearList, "deleted 2 items of the list 'Groceries'", []),
      (.deleteList, "deleted the list 'Groceries'", []),
    ] as [(ActionOperation.Word, String, [String])])
  func effect(word: ActionOperation.Word, reply: String, items: [String]) throws {
    let reminder = try only(fixture.fired())
    let answer = try fixture.answer(word)
    #expect(try fixture.answers() == [answer])
    #expect(answer.effect == .done && answer.reply.hasPrefix(reply), "\(answer)")
    #expect(try fixture.items() == items)
    #expect(answer.reminderID == reminder.id && answer.ring == reminder.id && answer.owner == .item(1))
    #expect(answer.listName == "Groceries" && answer.text == "Milk" && answer.action == word.rawValue)
    #expect(answer.date == fixture.engine.time.now.wholeSeconds && answer.takenBackAt == nil)
    #expect(try fixture.extra() == (word == .snooze ? ["snooze 11:00"] : []))
  }

  @Test("edit says what to edit, and is no answer, until that is gone")
  func edit() throws {
    #expect(try fixture.press(.edit) == .edit(.item(1)))
    #expect(try fixture.press(.edit, isAuthenticated: false) == .edit(.item(1)))
    #expect(try fixture.answers().isEmpty)
    _ = try fixture.engine.belfry.delete([1])
    let answer = try fixture.answer(.edit)
    #expect(answer.effect == .gone && answer.reply == "the item was deleted")
  }

  @Test(
    "what destroys is refused to whoever has not proved who they are, and the refusal is kept",
    arguments: [.delete, .clearList, .deleteList] as [ActionOperation.Word])
  func refused(word: ActionOperation.Word) throws {
    guard case .answered(let answer, false) = try fixture.press(word, isAuthenticated: false) else {
      throw Unexpected("no answer")
    }
    #expect(answer.effect == .refused)
    #expect(try fixture.items() == ["1 Milk", "2 Oats"])
    #expect(try fixture.answers() == [answer])
  }

  @Test("an action is carried out under the stricter of the flags that its message had and those of the config now")
  mutating func flags() throws {
    fixture.engine.settings.actions = [
      CategoryAction(identifier: "check", title: "Check", operation: .delete, requiresAuthentication: true)
    ]
    guard case .answered(let answer, _) = try fixture.press(.check, isAuthenticated: false) else {
      throw Unexpected("no answer")
    }
    #expect(answer.effect == .refused && answer.operation == .check)
    // The message froze the operation.
    #expect(try fixture.answer(.check).reply == "checked 'Milk'")
    // An action that is no longer in the config is still offered by the message.
    #expect(try fixture.answer(.delete).reply == "deleted 'Milk'")
  }

  @Test("an action is also named by its place among those of the message")
  func number() throws {
    let reminder = try only(fixture.fired())
    func press(_ number: Int) throws -> PressResult {
      try fixture.engine.belfry.answer(Press(reminder: reminder.id, choice: .number(number), channel: .phone))
    }
    guard case .answered(let answer, _) = try press(3) else { throw Unexpected("no answer") }
    #expect(answer.action == "check" && answer.channel == .phone)
    for number in [Int.min, -1, 0, 9, Int.max] { try Check.throwsError(.notFound) { _ = try press(number) } }
  }

  @Test("an unknown reminder or action is refused by name, with the nearest that there is")
  func unknown() throws {
    let reminder = try only(fixture.fired())
    func press(_ reminder: UUID, _ action: String) throws {
      _ = try fixture.engine.belfry.answer(Press(reminder: reminder, choice: .identifier(action), channel: .cli))
    }
    let action = #expect(throws: BelfryError.self) { try press(reminder.id, "chek") }
    #expect(action?.kind == .notFound && action?.hint == "did you mean 'check'?")
    #expect(#expect(throws: BelfryError.self) { try press(UUID(), "check") }?.kind == .notFound)
    #expect(try fixture.answers().isEmpty)
  }

  @Test(
    "what an action would destroy is said by name before it is done",
    arguments: [
      (.delete, "Deletes 'Milk'."), (.clearList, "Deletes what is on the list 'Groceries'."),
      (.deleteList, "Deletes the list 'Groceries' with what is on it."), (.acknowledge, nil), (.check, nil),
    ] as [(ActionOperation.Word, String?)])
  func consequence(word: ActionOperation.Word, sentence: String?) throws {
    let reminder = try only(fixture.fired()).id
    let action = try fixture.engine.belfry.action(.identifier(word.rawValue), of: reminder)
    #expect(action.isDestructive == (sentence != nil))
    #expect(try fixture.engine.belfry.consequence(of: action, on: reminder) == sentence)
  }

  @Test("without a category an item's reminder offers done and later, a list's own ack and later")
  func usual() throws {
    let settings = Settings()
    #expect(settings.actions(for: .item(1), category: nil).map(\.identifier) == ["done", "later"])
    #expect(
      settings.actions(for: .item(1), category: "unknown").map(\.operation) == [
        .check, .snooze(.init(days: 0, minutes: 10)),
      ])
    #expect(settings.actions(for: .list(1), category: nil).map(\.identifier) == ["ack", "later"])
    #expect(fixture.engine.settings.actions(for: .list(1), category: "all").count == 8)
  }
}

/// An answer to a reminder whose item or list has changed.
@Suite struct GoneTests {
  private let fixture: AnswerFixture

  init() throws {
    fixture = try AnswerFixture()
    try fixture.add()
    try fixture.ring("10:00")
  }

  private func expect(
    _ effect: Answer.Effect, _ reply: String, _ word: ActionOperation.Word, on reminder: Reminder? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let items = try fixture.items()
    let answer = try fixture.answer(word, on: reminder)
    #expect(answer.effect == effect && answer.reply.hasPrefix(reply), "\(answer)", sourceLocation: sourceLocation)
    #expect(try fixture.items() == items, sourceLocation: sourceLocation)
  }

  private static let words: [ActionOperation.Word] = [.none, .acknowledge, .snooze, .check, .delete]

  @Test("of a deleted item nothing is left to do, and the reply says so", arguments: words)
  func deleted(word: ActionOperation.Word) throws {
    _ = try fixture.engine.belfry.delete([1])
    try expect(.gone, "the item was deleted", word)
  }

  @Test("a cancelled reminder does nothing", arguments: words)
  func cancelled(word: ActionOperation.Word) throws {
    try fixture.engine.edit { $0.due = .at(try wall("2026-11-21T12:00")) }
    let scheduled = try only(fixture.engine.store.read { try $0.reminders(of: .item(1), at: nil, state: .scheduled) })
    try fixture.engine.edit { $0.due = .at(try wall("2026-11-21T13:00")) }
    try expect(.gone, "the reminder was cancelled", word, on: scheduled)
  }

  @Test("what was checked by hand is done already, but for what destroys", arguments: words)
  func checked(word: ActionOperation.Word) throws {
    _ = try fixture.engine.belfry.setChecked(true, [1])
    guard word != .delete else {
      #expect(try fixture.answer(word).effect == .done)
      return
    }
    try expect(.already, "'Milk' was checked Sat 21 Nov 2026 10:00", word)
  }

  @Test("an item with another date has nothing to do with the reminder any more")
  func redated() throws {
    try fixture.engine.edit { $0.due = .at(try wall("2026-11-21T12:00")) }
    try expect(.gone, "'Milk' is now due Sat 21 Nov 2026 12:00", .check)
    try fixture.engine.edit { $0.due = .at(try wall("2026-11-21T09:00")) }
    try expect(.gone, "'Milk' is now due Sat 21 Nov 2026 09:00", .acknowledge)
    try fixture.engine.edit { $0.due = .some(.none) }
    try expect(.gone, "'Milk' has no due date any more", .snooze)
  }

  @Test("a reminder that is switched off cannot be snoozed, but its item can be checked")
  func silent() throws {
    try fixture.engine.edit { $0.shouldRemind = false }
    try expect(.gone, "'Milk' does not ring any more", .snooze)
    #expect(try fixture.answer(.check).effect == .done)
  }

  @Test("before it rings there is nothing to acknowledge, but the item can be checked")
  func unrung() throws {
    try fixture.engine.edit { $0.due = .at(try wall("2026-11-21T12:00")) }
    let scheduled = try only(fixture.engine.store.read { try $0.reminders(of: .item(1), at: nil, state: .scheduled) })
    try expect(.gone, "the reminder has not rung yet", .acknowledge, on: scheduled)
    #expect(try fixture.answer(.check, on: scheduled).reply == "checked 'Milk'")
  }
}
