import Testing
@testable import BelfryModel

@Suite struct TextRulesTests {
  @Test(
    "a line is kept as it is but for white space at its ends",
    arguments: [
      ("Buy milk", "Buy milk"), ("  Buy  milk \t", "Buy  milk"), ("\u{A0}x\u{3000}", "x"), ("-", "-"), ("0", "0"),
      ("\u{1F468}\u{200D}\u{1F469}", "\u{1F468}\u{200D}\u{1F469}"), ("cafe\u{301}", "cafe\u{301}"),
      ("שלום \u{202E}abc", "שלום \u{202E}abc"), ("{{text}} <b> %s \\n", "{{text}} <b> %s \\n"), ("\nx\n", "x"),
    ])
  func line(text: String, kept: String) throws {
    let line = try TextRules.line(text, what: "the text")
    #expect(Array(line.utf8) == Array(kept.utf8))
  }

  @Test("a tab in a line is kept: people paste them")
  func tabInLine() throws {
    #expect(try TextRules.line("a\tb", what: "the text") == "a\tb")
  }

  @Test("a line that is empty, or nothing but white space, is refused", arguments: ["", " ", "\t\n", "\u{2003}"])
  func emptyLine(text: String) {
    let error = #expect(throws: BelfryError.self) { try TextRules.line(text, what: "the text") }
    #expect(error?.kind == .badInput)
    #expect(error?.message == "the text is empty")
  }

  @Test(
    "a control character in a line is refused by name",
    arguments: [
      ("a\nb", "a line break"), ("a\r\nb", "a line break"), ("a\rb", "a line break"), ("a\u{2028}b", "a line break"),
      ("a\u{2029}b", "a line break"), ("a\0b", "a NUL character"), ("a\u{7}b", "U+0007"), ("a\u{1B}[31mb", "U+001B"),
      ("a\u{7F}b", "U+007F"), ("a\u{85}b", "U+0085"),
    ])
  func controlInLine(text: String, name: String) {
    let error = #expect(throws: BelfryError.self) { try TextRules.line(text, what: "the text") }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
    #expect(error?.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } == true)
  }

  @Test("a key is a line of at most 200 bytes", arguments: [(" disk-full ", "disk-full"), ("caf\u{e9}", "caf\u{e9}")])
  func key(text: String, kept: String) throws {
    #expect(try Array(TextRules.key(text).utf8) == Array(kept.utf8))
    #expect(try TextRules.key(String(repeating: "\u{e9}", count: 100)).utf8.count == 200)
  }

  @Test(
    "a key that is empty, too long or of several lines is refused",
    arguments: [
      ("", "the key is empty"), ("\t ", "the key is empty"), ("a\nb", "the key holds a line break"),
      (String(repeating: "x", count: 201), "the key is 201 bytes long"),
      (String(repeating: "\u{e9}", count: 101), "the key is 202 bytes long"),
    ])
  func noKey(text: String, message: String) {
    let error = #expect(throws: BelfryError.self) { try TextRules.key(text) }
    #expect(error?.kind == .badInput)
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test(
    "notes may have any number of lines, with line feeds for all line ends",
    arguments: [
      ("one\ntwo\n", "one\ntwo\n"), ("one\r\ntwo", "one\ntwo"), (" \tindented", " \tindented"),
      ("cafe\u{301}", "cafe\u{301}"),
      ("\r\n\r\nx", "\n\nx"),
    ])
  func lines(text: String, kept: String) throws {
    let lines = try TextRules.lines(text, what: "the notes")
    #expect(lines.map { Array($0.utf8) } == Array(kept.utf8))
  }

  @Test("notes of nothing but white space are none", arguments: ["", " ", "\n\n", "\t\r\n "])
  func noLines(text: String) throws {
    #expect(try TextRules.lines(text, what: "the notes") == nil)
  }

  @Test(
    "a control character in notes is refused by name",
    arguments: [("a\0b", "a NUL character"), ("a\u{8}b", "U+0008"), ("a\u{1B}b", "U+001B"), ("a\u{9F}b", "U+009F")])
  func controlInLines(text: String, name: String) {
    let error = #expect(throws: BelfryError.self) { try TextRules.lines(text, what: "the notes") }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
  }
}
