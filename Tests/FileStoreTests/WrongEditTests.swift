import BelfryModel
import BelfryTestKit
import Foundation
import Testing

@Suite("A wrong edit is told with its line and column, and the file stays as it is")
struct WrongEditTests {
  @Test("in JSON", arguments: WrongEdit.json)
  func inJSON(edit: WrongEdit) throws { try check(edit, .json) }

  @Test("in a property list", arguments: WrongEdit.plist)
  func inPlist(edit: WrongEdit) throws { try check(edit, .plist) }

  private func check(_ edit: WrongEdit, _ format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 3)
    try place.open().write { _ = try $0.addSampleList("Last") }
    let backup = place.contents(place.file + ".bak")
    let sound = place.data
    let range = try #require(sound.range(of: Data(edit.part.utf8)), "\(edit.part) is not in \(place.text)")
    var wrong = sound
    wrong.replaceSubrange(range, with: edit.other)
    try place.edit(wrong)
    let error = try place.refusal()
    #expect(error.kind == .storeFailed)
    #expect(error.message.contains(edit.words), "\(error)")
    #expect(error.hint?.contains("\(place.file).bak (3 items") == true, "\(error)")
    try checkPosition(error, edit, wrong, near: range.lowerBound, place)
    try Check.throwsError(.storeFailed) { try place.open().write { _ = try $0.addSampleList("more") } }
    try Check.throwsError(.storeFailed) { _ = try place.open().damage() }
    #expect(place.data == wrong)
    #expect(place.contents(place.file + ".bak") == backup)
    // Once corrected, it is read again.
    try place.edit(sound)
    #expect(try place.open().read { try $0.items().count } == 3)
  }

  private func checkPosition(
    _ error: BelfryError, _ edit: WrongEdit, _ wrong: Data, near start: Int, _ place: Place
  ) throws {
    let match = try #require(error.message.firstMatch(of: #/:(\d+):(\d+):\s/#), "\(error)")
    try #require(error.message.hasPrefix(place.file + ":"), "\(error)")
    let (line, column) = (try #require(Int(match.1)), try #require(Int(match.2)))
    guard let text = edit.place else {
      let expected = self.position(of: start, in: wrong).line
      return #expect(line == expected, "\(error), expected line \(expected)")
    }
    let from = text.hasPrefix("{\"format") ? 0 : max(0, start - 400)
    let offset = try #require(wrong[from...].range(of: Data(text.utf8)), "\(text)").lowerBound
    let expected = self.position(of: text.hasPrefix("\n") ? offset + 1 : offset, in: wrong)
    #expect((line, column) == (expected.line, expected.column), "\(error)")
  }

  private func position(of offset: Int, in data: Data) -> (line: Int, column: Int) {
    let before = data[..<offset]
    let line = before.count { $0 == 0x0A } + 1
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return (line, String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1)
  }
}
