import BelfryTestKit
import Foundation
import MemoryStore
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import RecurrenceRules

/// Replies that a channel returns. Three items have rung at 10:00.
@Suite struct InboxTests {
  private let fixture: InboxFixture

  init() throws { fixture = try InboxFixture() }

  // As `done 1` with the answer's number.
  private func words(_ results: [ReplyResult]) -> [String] {
    results.map { result in
      guard case .answered(let answer) = result else { return "\(result)" }
      return "\(answer.effect.name) \(answer.id)"
    }
  }

  @Test("a reply is answered with the position after it, and has one effect however often it comes")
  func answered() throws {
    let inbox = try fixture.inbox()
    #expect(inbox.position == nil)
    #expect(words(try inbox.take([try fixture.reply(.check)], position: "1")) == ["done 1"])
    #expect(inbox.position == "1" && fixture.changes.all.count == 1)
    #expect(try fixture.answers.items() == ["1 Milk checked", "2 Bread", "3 Oats"])
    let digest = try fixture.answers.engine.store.read(StoreDigest.init)
    #expect(words(try inbox.take([try fixture.reply(.check)], position: "1")) == ["done 1"])
    // As after a kill, before the server was told.
    #expect(words(try fixture.inbox().take([try fixture.reply(.check)], position: "1")) == ["done 1"])
    #expect(try fixture.answers.engine.store.read(StoreDigest.init) == digest)
  }

  @Test("a store that fails keeps neither the answer nor the position, and both when it works again")
  func failingStore() throws {
    let store = FailingStore(MemoryStore())
    store.isFailing = false
    let fixture = try InboxFixture(store: store)
    let inbox = try fixture.inbox()
    store.isFailing = true
    #expect(throws: BelfryError.self) { try inbox.take([try fixture.reply(.check)], position: "1") }
    #expect(inbox.position == nil && fixture.changes.all.isEmpty)
    #expect(try fixture.kept() == nil && fixture.answers.answers() == [])
    store.isFailing = false
    #expect(words(try inbox.take([try fixture.reply(.check)], position: "1")) == ["done 1"])
    #expect(try fixture.kept()?.position == "1")
  }

  @Test("replies that come together share a transaction, each with its own result, in order")
  func together() throws {
    let inbox = try fixture.inbox()
    let replies = [
      try fixture.reply(.snooze), try fixture.reply(.check), Reply(.token("rubbish")), Reply(.token("expired")),
      try fixture.reply(.delete, 2), try fixture.reply(.check, 3), try fixture.reply(.edit, 3),
      Reply(.token("\(Sample.uuid("other").text) check")), Reply(.token("\(Sample.uuid("other").text) nonsense")),
    ]
    let results = try inbox.take(replies, position: "9")
    #expect(
      words(results) == [
        "done 1", "done 2", "unknown", "expired", "refused 3", "done 4", "edit(BelfryModel.ReminderOwner.item(3))",
        "unknown", "unknown",
      ])
    #expect(try fixture.answers.items() == ["1 Milk checked", "2 Bread", "3 Oats checked"])
    #expect(try fixture.kept()?.position == "9" && fixture.changes.all.count == 1)
  }

  @Test("an answer that was taken back counts again when its button, offered anew, is pressed")
  func offeredAnew() throws {
    let inbox = try fixture.inbox()
    _ = try inbox.take([try fixture.reply(.check)], position: "1")
    try fixture.answers.takeBack(try only(fixture.answers.answers()))
    #expect(words(try fixture.inbox().take([try fixture.reply(.check)], position: "2")) == ["done 2"])
    #expect(try fixture.answers.items().first == "1 Milk checked")
  }

  @Test("a press from before its answer was taken back does not count again")
  func old() throws {
    let inbox = try fixture.inbox()
    let pressed = fixture.time.now
    _ = try inbox.take([try fixture.reply(.check)])
    fixture.time.advance(by: 60)
    try fixture.answers.takeBack(try only(fixture.answers.answers()))
    let again = Reply(.token(try fixture.token(.check)), pressedAt: pressed)
    let results = try inbox.take([again, try fixture.reply(.check, 2)])
    #expect(results.first.map { if case .spent = $0 { true } else { false } } == true, "\(results)")
    #expect(words(Array(results.dropFirst())) == ["done 2"])
    #expect(try fixture.answers.items() == ["1 Milk", "2 Bread checked", "3 Oats"])
  }

  @Test("a button that says its action by number needs no token, and counts once until its answer is taken back")
  func numbered() throws {
    let inbox = try fixture.inbox()
    let reminder = try only(fixture.answers.fired()).id
    let number = try #require(ActionOperation.Word.allCases.firstIndex(of: .check)) + 1
    let check = Reply(.action(number, of: reminder))
    #expect(words(try inbox.take([check, check, check])) == ["done 1", "done 1", "done 1"])
    try fixture.answers.takeBack(try only(fixture.answers.answers()))
    #expect(words(try inbox.take([check])) == ["done 2"])
    let delete = try #require(ActionOperation.Word.allCases.firstIndex(of: .delete)) + 1
    #expect(words(try inbox.take([Reply(.action(delete, of: reminder))])) == ["refused 3"])
    #expect(
      words(try inbox.take([Reply(.action(99, of: reminder)), Reply(.action(0, of: reminder))])) == [
        "unknown", "unknown",
      ])
    #expect(try fixture.kept() == nil)
  }

  @Test("a press that cannot be carried out keeps no other back: it is told, and the position moves past it")
  func impossible() throws {
    try fixture.answers.engine.edit(2) { $0.rule = .set(try RecurrenceRule("FREQ=DAILY")) }
    try fixture.answers.engine.store.write { transaction in
      var item = try Check.present(transaction.item(id: 2)).item
      item.zone = .fixed("Mars/X")
      try transaction.update(item)
    }
    let inbox = try fixture.inbox()
    let replies = try (1...3).map { try fixture.reply(.check, $0) }
    let results = try inbox.take(replies, position: "3")
    #expect(results.count == 3)
    #expect(words(results).first == "done 1" && words(results).last == "done 2")
    #expect(results[1].words.contains("Mars/X"), "\(results[1])")
    #expect(try fixture.answers.items() == ["1 Milk checked", "2 Bread", "3 Oats checked"])
    #expect(try inbox.position == "3" && fixture.kept()?.position == "3")
    #expect(try inbox.take([replies[1]], position: "4").first?.words.contains("Mars/X") == true)
    #expect(inbox.position == "4")
    #expect(fixture.messages.count { $0.contains("Mars/X") } == 2)
    #expect(words(try inbox.take(replies.filter { $0 != replies[1] }, position: "5")) == ["done 1", "done 2"])
  }

  @Test("a press on a calendar that is read-only is refused; while the whole store is, presses are received again")
  func readOnly() throws {
    let denied = BelfryError(.noPermission, "the calendar is read-only")
    for isWhole in [false, true] {
      let store = FailingStore(MemoryStore(), error: denied) { transaction in
        try isWhole || transaction.item(id: 2)?.item.isChecked == true
      }
      store.isFailing = false
      let fixture = try InboxFixture(store: store)
      let inbox = try fixture.inbox()
      let replies = try (1...3).map { try fixture.reply(.check, $0) }
      store.isFailing = true
      if isWhole {
        #expect(throws: BelfryError.self) { try inbox.take(replies, position: "3") }
        #expect(try inbox.position == nil && fixture.kept() == nil)
        store.isFailing = false
        #expect(words(try inbox.take(replies, position: "3")) == ["done 1", "done 2", "done 3"])
      } else {
        let results = try inbox.take(replies, position: "3")
        #expect(words(results).first == "done 1" && words(results).last == "done 2")
        #expect(results[1].words.contains("the calendar is read-only"), "\(results[1])")
      }
      #expect(try inbox.position == "3" && fixture.kept()?.position == "3")
      #expect(
        try fixture.answers.items() == ["1 Milk checked", isWhole ? "2 Bread checked" : "2 Bread", "3 Oats checked"])
    }
  }

  @Test("while the keys cannot be read, nothing is taken and nothing is lost")
  func unverifiable() throws {
    let inbox = try fixture.inbox()
    fixture.keys.areReadable = false
    #expect { try inbox.take([try fixture.reply(.check)], position: "1") } throws: { error in
      (error as? BelfryError)?.kind == .tryAgain
    }
    #expect(inbox.position == nil)
    fixture.keys.areReadable = true
    #expect(words(try inbox.take([try fixture.reply(.check)], position: "1")) == ["done 1"])
  }

  @Test(
    "what is no button moves the position, which is written at most once a minute, also after the clock was set back")
  func refusals() throws {
    let store = FailingStore(MemoryStore())
    store.isFailing = false
    let fixture = try InboxFixture(store: store)
    let inbox = try fixture.inbox()
    let rubbish = [Reply(.token("rubbish")), Reply(.token("expired"))]
    #expect(try inbox.take(rubbish, position: "1") == [.unknown, .expired])
    #expect(try fixture.kept()?.position == "1")
    fixture.time.advance(by: 59)
    store.isFailing = true
    #expect(try inbox.take(rubbish, position: "2") == [.unknown, .expired])
    #expect(try inbox.take(rubbish) == [.unknown, .expired])
    try inbox.skip(to: "3")
    #expect(try inbox.position == "3" && fixture.kept()?.position == "1")
    fixture.time.advance(by: 1)
    #expect(throws: BelfryError.self) { try inbox.skip(to: "4") }
    #expect(inbox.position == "3")
    store.isFailing = false
    try inbox.skip(to: "4")
    #expect(try fixture.kept()?.position == "4")
    fixture.time.advance(by: -3_600)
    try inbox.skip(to: "5")
    #expect(try fixture.kept()?.position == "5")
    #expect(fixture.changes.all.isEmpty)
  }

  @Test("an item that a person wrote is added with the position after it, or not at all")
  func added() throws {
    let store = FailingStore(MemoryStore())
    store.isFailing = false
    let fixture = try InboxFixture(store: store)
    let inbox = try fixture.inbox()
    store.isFailing = true
    let list = ListChoice("Groceries", createsMissing: false)
    #expect(throws: BelfryError.self) { try inbox.add(ItemDraft(text: "Salt"), to: list, position: "1") }
    #expect(try inbox.position == nil && fixture.kept() == nil && fixture.answers.items().count == 3)
    store.isFailing = false
    let added = try inbox.add(ItemDraft(text: "Salt"), to: list, position: "1")
    #expect(added.listing.item.text == "Salt")
    #expect(try inbox.position == "1" && fixture.kept()?.position == "1" && fixture.answers.items().count == 4)
    #expect(fixture.changes.all.count == 1)
  }

  @Test("one line of the log an hour says how much was no answer")
  func rejected() throws {
    let inbox = try fixture.inbox()
    for minute in 0..<121 {
      for _ in 0..<1_000 { inbox.reject("minute \(minute)") }
      fixture.time.advance(by: 60)
    }
    #expect(
      fixture.messages == [
        "sink 'phone' ignored 1 message that is not an answer, the last one: minute 0",
        "sink 'phone' ignored 60000 messages that are not answers, the last one: minute 60",
        "sink 'phone' ignored 60000 messages that are not answers, the last one: minute 120",
      ])
  }

  @Test("the inbox of a sink that is switched off stays as long as history, and goes then")
  func switchedOff() throws {
    func sink(_ name: String) -> ActiveSink { ActiveSink(name: name, sink: ReplyingSink(ScriptedSource([]))) }
    let belfry = fixture.answers.engine.belfry
    let span = belfry.settings.keepingSpan(for: [])
    let inbox = try fixture.inbox()
    try inbox.skip(to: "1")
    fixture.time.advance(by: 3_600)
    try inbox.skip(to: "2")
    let chat = SinkInbox(sink: "chat", position: "7", changedAt: fixture.time.now)
    try belfry.store.write { try $0.put(chat) }
    let daemon = try TestDaemon(belfry, sinks: [sink("phone"), sink("chat")])
    try daemon.scheduler.reload(belfry, sinks: [sink("chat")])
    fixture.time.advance(by: span)
    #expect(try daemon.scheduler.tidyWhenIdle())
    #expect(try fixture.inbox().position == "2")
    fixture.time.advance(by: 3_600)
    #expect(try daemon.scheduler.tidyWhenIdle())
    #expect(try belfry.store.read { try $0.inboxes() } == [chat])
    // What receives no answers any more has none either.
    try daemon.scheduler.reload(belfry, sinks: [ActiveSink(name: "chat", sink: RecordingSink())])
    fixture.time.advance(by: 3_600)
    #expect(try daemon.scheduler.tidyWhenIdle())
    #expect(try belfry.store.read { try $0.inboxes() } == [])
  }

  @Test("a problem is kept with its start until the connection stands; each is logged once")
  func problems() throws {
    let inbox = try fixture.inbox()
    _ = try inbox.take([try fixture.reply(.check)], position: "1")
    try inbox.connected()
    let start = fixture.time.now
    for (seconds, reason) in [(0.0, "HTTP 401"), (300, "HTTP 401"), (600, "no route")] {
      fixture.time.now = start + seconds
      try inbox.failed(reason)
      let kept = try #require(try fixture.kept())
      #expect(kept.problem == reason && kept.changedAt == start && kept.position == "1")
    }
    // Another process finds it, too.
    try fixture.inbox().connected()
    let kept = try #require(try fixture.kept())
    #expect(kept.problem == nil && kept.changedAt == start + 600 && kept.position == "1")
    #expect(
      fixture.messages == [
        "sink 'phone' receives no answers: HTTP 401", "sink 'phone' receives no answers: no route",
        "sink 'phone' receives answers again",
      ])
  }
}
