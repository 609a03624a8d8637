import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing

@Suite("What has rung and is taken out by hand")
struct RemovedAfterRingingTests {
  @Test("its copies are told, once, and it is not tried again", arguments: Format.texts)
  func told(format: Format) async throws {
    let (place, time) = (try Place(format), ManualTimeSource(Sample.now))
    let drafts = (1...3).map { number in
      ItemDraft(text: "Item \(number)", due: WallTime(parsing: "2026-11-21T09:0\(number)"), shouldRemind: true)
    }
    _ = try place.belfry(time).add(drafts, to: ListChoice("Home", createsMissing: true))
    let phone = RecordingSink(canWithdraw: true)
    let mail = RecordingSink { _, _ in .later(reason: "busy") }
    let daemon = try TestDaemon(
      place.belfry(time), sinks: [ActiveSink(name: "phone", sink: phone), ActiveSink(name: "mail", sink: mail)])
    time.advance(by: 3_780)
    try await daemon.tick()
    #expect(phone.attempts.count == 3 && mail.attempts.count == 3)
    try edit(place) { $0.contains("Item 2") ? nil : $0 }
    time.advance(by: 60)
    try await daemon.tick()
    #expect(try place.open().read { try $0.items().map(\.id) } == [1, 3])
    #expect(phone.attempts.compactMap(\.message.update).map(\.words) == ["deleted"])
    #expect(mail.texts.filter { $0 == "Item 2" }.count == 1 && mail.texts.count == 5)
    #expect(try states(place) == ["phone delivered", "mail discarded", "phone delivered"])
    try edit(place) { $0.replacingOccurrences(of: "Item 3", with: "Item III") }
    time.advance(by: 60)
    try await daemon.tick()
    #expect(try states(place).count == 3)
    #expect(try place.belfry(time).checkStore() == [])
  }

  // Edits the lines of the file except the messages, which name the items as well.
  private func edit(_ place: Place, _ change: (String) -> String?) throws {
    let lines = place.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    try place.edit(lines.compactMap { $0.contains("reminder_id") ? $0 : change($0) }.joined(separator: "\n"))
  }

  private func states(_ place: Place) throws -> [String] {
    try place.open().read { view in
      try view.deliveries(of: .item(2), state: nil).map { "\($0.0.sink) \($0.0.state.name)" }
    }
  }
}
