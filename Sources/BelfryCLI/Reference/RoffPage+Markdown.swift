// Texts with Markdown's inline marks.
extension RoffPage {
  mutating func paragraph(markdown: some StringProtocol) {
    startParagraph()
    lines.append(Self.styled(markdown))
  }

  /// A list item, with the label `-` or its number.
  mutating func point(_ label: String, markdown: some StringProtocol) {
    lines += [label == "-" ? ".IP \\(bu 2" : ".IP \(label) 4", Self.styled(markdown)]
  }

  /// A label with a description.
  mutating func entry(_ label: String, markdown: String) {
    lines += [".TP", Self.styled(label), Self.styled(markdown)]
  }

  /// Does not justify lines, since long words of code would leave gaps.
  mutating func alignLeft() { lines.append(".ad l") }

  // Code and strong text in bold, other emphasis in italics, and addresses of links behind their words.
  private static func styled(_ markdown: some StringProtocol) -> String {
    var (styled, plain, mark) = ("", "", "")
    var rest = Substring(markdown)
    func flush() {
      styled += escaped(breakable(plain), atStart: styled.isEmpty)
      plain = ""
    }
    while let character = rest.first {
      let next = rest.hasPrefix("**") ? "**" : String(character)
      if mark.isEmpty, next == "`" || next == "**" || next == "*" && rest.dropFirst().first?.isWhitespace == false {
        flush()
        styled += next == "*" ? "\\fI" : "\\fB"
        mark = next
        rest.removeFirst(next.count)
      } else if !mark.isEmpty, next == mark {
        flush()
        styled += "\\fP"
        mark = ""
        rest.removeFirst(next.count)
      } else if mark.isEmpty, character == "[", let (words, address, end) = link(rest) {
        plain += address.hasPrefix("http") && !address.hasSuffix(words) ? "\(words) (\(address))" : words
        rest = rest[end...]
      } else {
        plain.append(character)
        rest.removeFirst()
      }
    }
    flush()
    return styled
  }

  // The words and address of a link at the start of a text, `[words](address)`, and the place at which it ends.
  private static func link(_ text: Substring) -> (words: Substring, address: Substring, end: Substring.Index)? {
    let words = text.dropFirst().prefix { $0 != "]" }
    let behind = text[words.endIndex...].dropFirst()
    guard behind.first == "(" else { return nil }
    let address = behind.dropFirst().prefix { $0 != ")" }
    guard address.endIndex < text.endIndex else { return nil }
    return (words, address, text.index(after: address.endIndex))
  }

  // Zero-width spaces, replaced below, where a line may be broken within a long word.
  private static func breakable(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.count < 40 ? String(word) : word.reduce(into: "") { $0 += "/&?,".contains($1) ? "\($1)\u{200B}" : "\($1)" }
    }.joined(separator: " ")
  }
}
