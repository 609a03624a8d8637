import Foundation
import Testing

@testable import ICalendar
@testable import Interchange

struct ContentLineTests {
  private func lines(_ bytes: [UInt8]) throws -> [UnfoldedLine] {
    var reader = ContentLineReader(ByteSource(bytes))
    var lines: [UnfoldedLine] = []
    while let line = try reader.next() { lines.append(line) }
    return lines
  }

  private func line(_ text: String) throws -> CalendarProperty { try CalendarProperty(Array(text.utf8), number: 7) }

  @Test("a line goes on behind a space or a tab, whatever ends lines", arguments: ["\r\n", "\n"])
  func unfolds(end: String) throws {
    let text = ["SUMMARY:one", "  two", "\tthree", "", "UID:1", " "].joined(separator: end)
    let found = try lines(Array(text.utf8))
    #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == ["SUMMARY:one twothree", "UID:1"])
    #expect(found.map(\.number) == [1, 5])
    #expect(found.allSatisfy { $0.fault == nil })
  }

  @Test("a fold inside a character is no fault")
  func unfoldsBytes() throws {
    let bytes = Array("SUMMARY:".utf8) + [0xC3, 0x0D, 0x0A, 0x20, 0xA9]
    let found = try #require(try lines(bytes).first)
    #expect(try CalendarProperty(found.bytes, number: 1).value == "é")
  }

  @Test("a continuation of nothing is a fault; a space before the first line is a slip")
  func strayContinuation() throws {
    let found = try lines(Array(" BEGIN:VCALENDAR\n\n UID:1".utf8))
    #expect(found[0].component("BEGIN:") == "VCALENDAR")
    #expect(found[0].fault == nil)
    #expect(found[1].fault?.line == 3)
  }

  @Test("name, parameters and value are told apart, quotes and carets undone")
  func parts() throws {
    let line = try line(#"attendee;CN="Doe; J:, ^'X^'";X-A=a,"b,c",^^^n;ROLE=:mailto:x@y;z"#)
    #expect(line.name == "ATTENDEE")
    #expect(line.parameter("CN") == #"Doe; J:, "X""#)
    #expect(line.parameters[1].values == ["a", "b,c", "^\n"])
    #expect(line.parameter("ROLE") == "")
    #expect(line.value == "mailto:x@y;z")
  }

  @Test(
    "what is no content line is a fault at its line",
    arguments: [
      "", "no colon at all", ":value", ";X=1:value", "NAME;:value", "NAME;X:value", "NAME;X=\"open:value", "NÄME:value",
      "NAME;X=1", "SUMMARY:a\u{7}b", "SUMMARY:a\u{0}b", "SUMMARY:a\rb", "NAME;X=a\"b\":c",
    ])
  func faults(text: String) {
    #expect { try line(text) } throws: { ($0 as? CalendarFault)?.line == 7 }
  }

  @Test("bytes that are no UTF-8 are a fault that names a way to convert them")
  func encodings() {
    let bytes = Array("SUMMARY:Caf".utf8) + [0xE9]
    #expect { try CalendarProperty(bytes, number: 3) } throws: {
      ($0 as? CalendarFault)?.reason.contains("iconv -f ISO-8859-1") ?? false
    }
  }

  @Test("a line with all that is folded is bounded, and what follows is read")
  func tooLong() throws {
    var bytes = Array("DESCRIPTION:".utf8)
    let piece = [UInt8(0x20)] + [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0..<17 { bytes += [0x0A] + piece }
    let found = try lines(bytes + Array("\nUID:1".utf8))
    #expect(found[0].fault?.reason.contains("16 MiB") ?? false)
    #expect(found[0].bytes.count <= ContentLineReader.longest)
    #expect(found[1].number == 19)
  }

  @Test(
    "what is written is read back, in lines of at most 75 bytes that are whole characters",
    arguments: ["short", String(repeating: "é🧀x", count: 100), String(repeating: "a", count: 500), "", "tab\there"])
  func folds(text: String) throws {
    var written = CalendarLines()
    let stands = written.append("SUMMARY:\(text)")
    #expect(stands)
    let pieces = written.bytes.split(separator: 0x0A, omittingEmptySubsequences: true)
    #expect(pieces.allSatisfy { $0.count <= 76 && $0.last == 0x0D && String(validating: $0, as: UTF8.self) != nil })
    let found = try lines(written.bytes)
    #expect(try found.map { try CalendarProperty($0.bytes, number: 1).value } == [text])
  }
}
