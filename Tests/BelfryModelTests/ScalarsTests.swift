import BelfryModel
import Testing
import Transport

@Suite("Texts by their scalars")
struct ScalarsTests {
  @Test("a quotation mark is one, whatever combines with it")
  func shellWords() {
    #expect("it'\u{301}s".shellQuoted.utf8.elementsEqual("'it'\\''\u{301}s'".utf8))
    #expect("a&\u{338}b".replacing(scalar: "&", with: "&amp;").utf8.elementsEqual("a&amp;\u{338}b".utf8))
    #expect("<\u{338}b".replacing(scalar: "<", with: "&lt;").utf8.elementsEqual("&lt;\u{338}b".utf8))
  }

  @Test("a mark behind a space stays when the space goes")
  func trimming() {
    #expect("  \u{301}a \u{a0}".trimmingWhitespace().utf8.elementsEqual("\u{301}a".utf8))
    #expect(" \t ".trimmingWhitespace().isEmpty)
  }

  @Test(
    "a line for a terminal holds nothing that steers it",
    arguments: [
      ("a\u{202e}b\u{2069}", "a\u{fffd}b\u{fffd}"), ("a\u{9b}b\u{7f}", "a\u{fffd}b\u{fffd}"), ("a\nb\tc", "a b c"),
      ("\u{5d0}\u{200f}!", "\u{5d0}\u{200f}!"),
    ])
  func visible(text: String, shown: String) {
    #expect(text.visibleLine == shown)
  }

  @Test("a reason is short, also of marks without end, which make one character")
  func reason() {
    let reason = Redaction([]).reason("a" + String(repeating: "\u{301}", count: 10_000))
    #expect(reason.unicodeScalars.count == Redaction.longestReason + 1)
    #expect(Redaction([]).reason(" a \u{301} \u{7} b ") == "a \u{301} b")
  }
}
