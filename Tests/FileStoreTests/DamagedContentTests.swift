import BelfryTestKit
import Foundation
import Testing

@Suite("What a message says is read with the file")
struct DamagedContentTests {
  @Test(
    "damage in it is told with its place, and the file stays as it is",
    arguments: [
      (#""checked_at":null"#, #""checked_at":nil"#, "expected a value"),
      (#""fire_date":"2026-11-21T08:00:00Z","alert""#, #""fire_date":"soon","alert""#, "is not an instant such as"),
      (#""fire_date":"2026-11-21T08:00:00Z","alert""#, #""alert""#, "this message's content has no \"fire_date\""),
    ], Format.texts)
  func damage(edit: (part: String, other: String, words: String), format: Format) throws {
    let place = try Place(format)
    try place.fill()
    let sound = place.data
    try place.replace(edit.part, with: edit.other)
    let damaged = place.data
    let error = try place.refusal()
    #expect(error.kind == .storeFailed && error.message.contains(edit.words), "\(error)")
    #expect(place.data == damaged)
    try place.edit(sound)
    #expect(try place.open().read { try $0.deliveries().count } == 8)
  }
}
