import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import TestSupport
import Testing

@testable import DesktopSink

/// Servers of two makes on a virtual screen, whose buttons are pressed as a person does.
@Suite("A real notification server")
struct ScreenTests {
  private func sink(on desktop: ScreenDesktop) -> DesktopSink {
    var settings = DesktopSettings()
    settings.shownFor = 3_600
    return Notifying.sink(on: desktop.bus, settings)
  }

  private func deliver(_ message: Message, by sink: DesktopSink) async throws {
    let outcome = await sink.deliver(Sample.attempt(message))
    try #require(outcome.isDelivered, "\(outcome)")
  }

  private func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + TimeLimit.patience
    while try !condition() {
      try Check.that(ContinuousClock.now < end, "waited in vain until \(what)")
      poll(nil, 0, 20)
    }
  }

  @Test("it shows a notification, replaces it, and closes it", arguments: ScreenDesktop.Server.allCases)
  func shows(server: ScreenDesktop.Server) async throws {
    let desktop = try ScreenDesktop(server)
    try desktop.start()
    let sink = sink(on: desktop)
    let hostile = "\u{202e}<b>Milk</b> & \u{fffe}\u{1b}[31m"
    let message = try Notifying.message(hostile, notes: "<i>\(hostile)")
    try await deliver(message, by: sink)
    try waitUntil("it is shown") { try desktop.shownCount() == 1 }
    try await deliver(try Sample.message(at: 10), by: sink)
    try await deliver(try Sample.message(itemID: 2), by: sink)
    try waitUntil("another stands beside it") { try desktop.shownCount() == 2 }
    let answered = Sample.update(of: try Sample.message(at: 10), to: .answered)
    try await deliver(answered, by: sink)
    try waitUntil("it is closed") { try desktop.shownCount() == 1 }
  }

  @Test("a press reaches the sink, a click opens the page", arguments: ScreenDesktop.Server.allCases)
  func press(server: ScreenDesktop.Server) async throws {
    let desktop = try ScreenDesktop(server)
    try desktop.start()
    let sink = sink(on: desktop)
    let port = try #require(sink.replySource as? DesktopReplies).desktop
    let message = try Sample.message()
    try await deliver(message, by: sink)
    try waitUntil("it is shown") { try desktop.shownCount() == 1 }
    try desktop.press("Later", among: ["Done", "Later"])
    try waitUntil("the press arrives") { try !port.arrived().presses.isEmpty }
    guard case .answer(let key) = try #require(try port.arrived().presses.first).effect else {
      Issue.record("it is no answer")
      return
    }
    #expect(key == ButtonKey(reminder: message.contents[0].reminderID, action: 2))
    port.remove(try #require(try port.arrived().presses.first))
    try await deliver(Sample.update(of: message, to: .answered), by: sink)
    try waitUntil("it is closed") { try desktop.shownCount() == 0 }
    let linked = Sample.attempt(try Sample.message(itemID: 2)).linked
    let outcome = await sink.deliver(linked)
    #expect(outcome.isDelivered, "\(outcome)")
    try waitUntil("it is shown") { try desktop.shownCount() == 1 }
    try desktop.click()
    try waitUntil("the click arrives") { try !port.arrived().presses.isEmpty }
    guard case .open(let page) = try #require(try port.arrived().presses.first).effect else {
      Issue.record("it opens nothing")
      return
    }
    #expect(page == linked.links.first?.answerURL)
  }
}
