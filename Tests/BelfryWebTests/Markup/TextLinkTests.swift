import Testing

@testable import BelfryWeb

@Suite("Links in texts")
struct TextLinkTests {
  @Test(
    "URLs, mail addresses and phone numbers can be pressed",
    arguments: [
      ("see https://example.org/a_(b)?c=1.", "https://example.org/a_(b)?c=1"),
      ("(http://a.example/x)", "http://a.example/x"),
      ("HTTPS://EXAMPLE.ORG", "HTTPS://EXAMPLE.ORG"),
      ("write to anna.b@example.org, soon", "mailto:anna.b@example.org"),
      ("+41 44 123 45 67", "tel:+41441234567"), ("call 044/123 45 67.", "tel:0441234567"),
      ("0049 (30) 901820", "tel:004930901820"),
    ])
  func links(text: String, target: String) {
    let pieces = TextLinks.pieces(text)
    #expect(pieces.compactMap { if case .link(_, let target) = $0 { target } else { nil } } == [target])
    let words = pieces.map { piece in
      switch piece {
      case .words(let words), .link(let words, _): String(words)
      }
    }
    #expect(words.joined() == text)
  }

  @Test(
    "other texts stay texts",
    arguments: [
      "", "https://", "javascript:alert(1)", "xhttps://a", "2026-11-21", "0.5", "00:30", "C0123456789", "0123456789a",
      "me@home", "@anna", "12345678", "a@.b", "data:text/html,x", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
    ])
  func none(text: String) { #expect(TextLinks.pieces(text) == (text.isEmpty ? [] : [.words(text[...])])) }

  @Test(
    "a long text is read once, however many places of it look like the beginning of a link", .timeLimit(.minutes(1)),
    arguments: ["+", "h.", "a-", "0 +", "-", "a@", "a@b-", "https://)", "+½", "\u{1F1E9}"].map {
      String(repeating: $0, count: 100_000)
    } + [
      "a" + String(repeating: "1", count: 100_000), "https://x" + String(repeating: ")", count: 100_000),
      "0441234567" + String(repeating: "+", count: 100_000),
    ])
  func long(text: String) {
    let words = TextLinks.pieces(text).map { piece in
      switch piece {
      case .words(let words), .link(let words, _): String(words)
      }
    }
    #expect(words.joined() == text)
  }

  @Test(
    "a link is found behind what only looks like the beginning of one",
    arguments: [
      ("a-b-c@home https://a.example", "https://a.example"), ("x-https://a.example", "https://a.example"),
      ("+ +41 44 123 45 67", "tel:+41441234567"), ("a-b@.c.example d@e.example", "mailto:d@e.example"),
    ])
  func behind(text: String, target: String) {
    let targets = TextLinks.pieces(text).compactMap { if case .link(_, let target) = $0 { target } else { nil } }
    #expect(targets == [target])
  }

  @Test("a link adds no line break to the text, since notes show them")
  func lineBreaks() {
    var html = HTML()
    html.linked("see https://a.example, or call\n+41 44 123 45 67.")
    #expect(html.text.filter { $0 == "\n" }.count == 1 && html.text.contains("https://a.example</a>, or call\n<a "))
  }

  @Test("a hostile text becomes no markup")
  func hostile() {
    var html = HTML()
    html.linked("https://a.example/\"onmouseover='x'><b> & http://b.example/?a=1&b=<i>")
    #expect(!html.text.contains("<b>") && !html.text.contains("<i>") && !html.text.contains("\"onmouseover"))
    #expect(html.text.contains("href=\"http://b.example/?a=1&amp;b=\""))
  }
}
