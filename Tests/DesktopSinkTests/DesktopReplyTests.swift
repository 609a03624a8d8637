import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import MemoryStore
import Synchronization
import TestSupport
import Testing
import Transport

@testable import DesktopSink

@Suite("Answers from a desktop")
struct DesktopReplyTests {
  @Test("a press checks the item, and its notification closes")
  func press() async throws {
    let desk = try AnsweredDesktop()
    let shown = try await desk.ring()
    desk.open()
    try desk.server.press(try #require(shown.keys.first), on: try #require(shown.number))
    try await desk.wait { try desk.answers().count == 1 }
    #expect(try desk.answers() == ["done desktop done"])
    #expect(try desk.item()?.isChecked == true)
    try await desk.daemon.tick()
    #expect(try desk.server.records().last?.kind == "closed")
    desk.close()
  }

  @Test("a press is of the person whose desktop it is, and of nobody where several share it")
  func person() async throws {
    let anna = Person(name: "anna", sinks: ["desk"])
    for (people, name) in [([anna], "anna"), ([anna, Person(name: "ben", sinks: ["desk"])], nil)] {
      let desk = try AnsweredDesktop(people: people)
      let shown = try await desk.ring()
      try desk.server.press(shown.keys[0], on: 1)
      #expect(try await desk.receive() == .ended)
      let number = try #require(try desk.store.read { try $0.answers(of: .item(1)) }.first).person
      #expect(try desk.store.read { try $0.people().first { $0.number == number }?.name } == name)
    }
  }

  @Test("what was pressed while a notification was delivered, or before anybody received, is taken, once")
  func pressedMeanwhile() async throws {
    let desk = try AnsweredDesktop()
    let shown = try await desk.ring()
    for _ in 1...3 { try desk.server.press(shown.keys[0], on: 1) }
    // This reads the presses from the connection.
    #expect(await desk.sink.deliver(Sample.attempt(try Sample.message(itemID: 7))).isDelivered)
    #expect(try await desk.receive() == .ended)
    #expect(try desk.answers() == ["done desktop done"])
    #expect(try await desk.receive() == .ended)
    #expect(try desk.answers().count == 1)
  }

  @Test("a button of an earlier process works, whatever number its notification had")
  func earlierProcess() async throws {
    let desk = try AnsweredDesktop()
    let shown = try await desk.ring()
    let next = Notifying.sink(on: desk.bus)
    // The connection has to exist when the server reports the press.
    #expect(try await desk.receive(by: next) == .ended)
    try desk.server.press(shown.keys[0], on: 4_711)
    #expect(try await desk.receive(by: next) == .ended)
    #expect(try desk.answers() == ["done desktop done"])
  }

  @Test("a click on a notification of an earlier process opens its page, and a nag takes its place")
  func earlierNotification() async throws {
    let desk = try AnsweredDesktop(hasPortal: true, hasPages: true)
    let shown = try await desk.ring()
    let next = Notifying.sink(on: desk.bus)
    #expect(try await desk.receive(by: next) == .ended)
    try desk.server.press("default", on: try #require(shown.number))
    #expect(try await desk.receive(by: next) == .ended)
    let opened = try #require(try desk.server.records().last)
    #expect(opened.kind == "opened" && opened.page?.hasPrefix("https://belfry.example.org/a/") == true, "\(opened)")
    #expect(await next.deliver(Sample.attempt(try Sample.message(at: 10))).isDelivered)
    #expect(try desk.server.records().last?.replaced == shown.number)
  }

  @Test("what was withdrawn is nothing that a later ringing replaces")
  func withdrawn() async throws {
    let desk = try AnsweredDesktop()
    _ = try await desk.ring()
    _ = try desk.belfry.setChecked(true, [1])
    try await desk.daemon.tick()
    #expect(try desk.server.records().last?.kind == "closed")
    let next = Notifying.sink(on: desk.bus)
    #expect(try await desk.receive(by: next) == .ended)
    #expect(await next.deliver(Sample.attempt(try Sample.message(at: 10))).isDelivered)
    #expect(try desk.server.records().last?.replaced == 0)
  }

  @Test("buttons of others, cut and foreign keys, and a flood of them change nothing and are not told")
  func foreign() async throws {
    let desk = try AnsweredDesktop()
    let shown = try await desk.ring()
    let key = shown.keys[0]
    let foreign = [
      "default", "activate", "\(Sample.uuid("other").text).1", "\(key)1", String(key.dropLast(2)), key.uppercased(), "",
      "\(key.dropLast())-1", "\(key.dropLast())0",
    ]
    for text in foreign { try desk.server.press(text, on: 99) }
    try desk.server.flood(5_000)
    #expect(try await desk.receive() == .ended)
    #expect(try desk.answers() == [] && desk.log == [])
    try desk.server.press(key, on: 1)
    #expect(try await desk.receive() == .ended)
    #expect(try desk.answers() == ["done desktop done"])
  }

  @Test("an action that needs a sign-in is refused, also by a key that stands on no button")
  func destructive() async throws {
    let desk = try AnsweredDesktop()
    let shown = try await desk.ring()
    try desk.server.press("\(shown.keys[0].dropLast())2", on: 1)
    #expect(try await desk.receive() == .ended)
    #expect(try desk.item() != nil)
    #expect(try desk.answers() == ["trash desktop refused"])
    let told = try #require(try desk.server.records().last)
    #expect(told.replaced == 1 && told.actions == [] && told.hints?["transient"] == "True", "\(told)")
    #expect(told.summary == "'trash' is only for a person who has signed in")
  }

  @Test("a press that changes nothing says why, in place of the notification")
  func already() async throws {
    let desk = try AnsweredDesktop()
    let shown = try await desk.ring()
    _ = try desk.belfry.setChecked(true, [1])
    try desk.server.press(shown.keys[0], on: try #require(shown.number))
    #expect(try await desk.receive() == .ended)
    #expect(try desk.answers() == ["done desktop already"])
    #expect(try desk.server.records().last?.summary?.contains("'Buy milk' was checked ") == true)
  }

  @Test("a click opens the page by the portal, and is no answer")
  func click() async throws {
    let desk = try AnsweredDesktop(hasPortal: true)
    let attempt = Sample.attempt(try Sample.message()).linked
    #expect(await desk.sink.deliver(attempt).isDelivered)
    try desk.server.press("default", on: 1)
    #expect(try await desk.receive() == .ended)
    let opened = try #require(try desk.server.records().last)
    #expect(opened.kind == "opened" && opened.page == attempt.links.first?.answerURL)
    #expect(try desk.answers() == [])
  }

  @Test("a button that only opens leads to its page, also after a restart, and is no answer")
  func opening() async throws {
    let desk = try AnsweredDesktop(hasPortal: true, hasPages: true)
    let shown = try await desk.ring()
    let key = try #require(shown.keys.first { $0.hasSuffix(".4") })
    for sink in [desk.sink, Notifying.sink(on: desk.bus)] {
      #expect(try await desk.receive(by: sink) == .ended)
      try desk.server.press(key, on: try #require(shown.number))
      #expect(try await desk.receive(by: sink) == .ended)
      let opened = try #require(try desk.server.records().last)
      #expect(opened.kind == "opened" && opened.page?.hasPrefix("https://belfry.example.org/a/") == true, "\(opened)")
    }
    #expect(try desk.answers() == [])
    #expect(try desk.server.records().count { $0.kind == "opened" } == 2)
  }

  @Test("without a page the press of an action that only opens names the command")
  func openingWithoutPage() async throws {
    let desk = try AnsweredDesktop()
    let shown = try await desk.ring()
    try desk.server.press("\(shown.keys[0].dropLast())4", on: try #require(shown.number))
    #expect(try await desk.receive() == .ended)
    #expect(try desk.server.records().last?.summary == "'belfry edit 1' edits it")
    #expect(try desk.answers() == [])
  }

  @Test("a store that fails keeps the press for the next time")
  func failingStore() async throws {
    let desk = try AnsweredDesktop()
    let shown = try await desk.ring()
    try desk.server.press(shown.keys[0], on: 1)
    desk.store.isFailing = true
    await #expect(throws: BelfryError.self) { try await desk.receive() }
    desk.store.isFailing = false
    #expect(try await desk.receive() == .ended)
    #expect(try desk.answers() == ["done desktop done"])
  }

  @Test("the end of the bus ends the receiver, which finds none then")
  func endOfBus() async throws {
    let desk = try AnsweredDesktop()
    let (source, inbox) = (try #require(desk.sink.replySource), try desk.inbox(of: desk.sink))
    let receiving = Task { try await source.receive(inbox, waits: true) }
    desk.bus.stop()
    for outcome in [try await receiving.value, try await desk.receive()] {
      guard case .later(let reason, nil, false) = outcome else {
        Issue.record("the outcome is \(outcome)")
        return
      }
      // It may end at any call of the receiver.
      let ends = [
        "the desktop's bus at \(desk.bus.address) cannot be reached", "the connection to the desktop's bus ended",
      ]
      #expect(ends.contains { reason.hasPrefix($0) }, "\(reason)")
    }
  }

  @Test("at the end of do-not-disturb, what waits is due at once", arguments: [false, true])
  func doNotDisturb(isKnownBefore: Bool) async throws {
    let desk = try AnsweredDesktop(capabilities: ["actions", "inhibitions"])
    if isKnownBefore { desk.open() }
    try desk.server.behave(.inhibited)
    try await desk.addAndTick()
    let waiting = try #require(try desk.waiting().first)
    #expect(waiting.lastError == "do-not-disturb is on in Collector" && waiting.attempts == 1)
    try desk.server.behave(.kind)
    // If nobody noticed its end, the next connection finds it.
    if !isKnownBefore { desk.open() }
    try await desk.waitUntilDue()
    try await desk.daemon.tick()
    #expect(try desk.waiting().isEmpty && desk.server.records().map(\.kind) == ["shown"])
    desk.close()
  }

  @Test("once a server appears, what found none is due at once; what ended one waits", arguments: [false, true])
  func lateServer(isDeadly: Bool) async throws {
    let desk = try AnsweredDesktop()
    desk.server.stop()
    desk.open()
    try await desk.addAndTick()
    let waiting = try #require(try desk.waiting().first)
    #expect(waiting.lastError == "no program on the desktop's bus shows notifications" && waiting.attempts == 1)
    let server = try NotificationCollector(on: desk.bus)
    if isDeadly { try server.behave(.dying) }
    try await desk.waitUntilDue()
    try await desk.daemon.tick()
    desk.close()
    #expect(try server.records().map(\.kind) == (isDeadly ? [] : ["shown"]))
    #expect(try desk.waiting().map(\.attempts) == (isDeadly ? [2] : []))
  }

  @Test("a sink that takes over the desktop of another receives what is pressed on its notifications")
  func handedOn() throws {
    let transports = Transports.none
    let made = [("desk", "a"), ("desk", "a"), ("desk", "b"), ("other", "a")].map { sink, bus in
      transports.forSink(sink).handedOn("desktop \(bus)") { Desktop(at: bus) }
    }
    #expect(made[0] === made[1] && made[0] !== made[2] && made[0] !== made[3])
    weak var last: Desktop?
    do {
      let desktop = transports.forSink("last").handedOn("desktop a") { Desktop(at: "a") }
      last = desktop
    }
    #expect(last == nil, "it ends with the last sink that uses it")
  }

  @Test("a cancelled receiver ends at once")
  func cancelled() async throws {
    let desk = try AnsweredDesktop()
    let (source, inbox) = (try #require(desk.sink.replySource), try desk.inbox(of: desk.sink))
    let receiving = Task { try await source.receive(inbox, waits: true) }
    poll(nil, 0, 300)
    let start = ContinuousClock.now
    receiving.cancel()
    #expect(try await receiving.value == .ended)
    #expect(ContinuousClock.now - start < TimeLimit.ending)
  }
}
