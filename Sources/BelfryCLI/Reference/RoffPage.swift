/// A manual page in the language of man(7).
struct RoffPage {
  var lines: [String]

  /// An empty page.
  ///
  /// - Parameters:
  ///   - name: the page's name.
  ///   - section: 1 for programs, 5 for files, 7 for guides.
  ///   - version: the version of Belfry.
  init(name: String, section: Int, version: String) {
    lines = [#".TH "\#(Self.argument(name.uppercased()))" \#(section) "" "Belfry \#(Self.argument(version))" "Belfry""#]
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  mutating func heading(_ title: String) { lines.append(".SH \"\(Self.argument(title))\"") }

  /// A section within a section.
  mutating func subheading(_ title: String) { lines.append(".SS \"\(Self.argument(title))\"") }

  /// The usage of a program.
  mutating func synopsis(_ call: String) {
    heading("SYNOPSIS")
    lines.append(".B \"\(Self.argument(call))\"")
  }

  mutating func paragraph(_ text: String) {
    startParagraph()
    lines.append(Self.escaped(text))
  }

  /// The name line, which `apropos` reads.
  mutating func name(_ name: String, _ words: String) {
    heading("NAME")
    lines.append("\(Self.escaped(name)) \\- \(Self.escaped(words))")
  }

  /// A label in bold with a description.
  mutating func item(_ label: String, _ words: String) {
    lines += [".TP", ".B \"\(Self.argument(label))\"", Self.escaped(words)]
  }

  /// Lines that are not filled.
  mutating func example(_ examples: [String]) {
    startParagraph()
    lines += [".nf", ".RS 4"] + examples.map { $0.isEmpty ? ".sp" : Self.escaped($0) } + [".RE", ".fi"]
  }

  // A heading already starts a paragraph.
  mutating func startParagraph() {
    if lines.last?.hasPrefix(".S") == false { lines.append(".PP") }
  }

  // The start of a line must not be read as a request, and a hyphen must not become a typographic one.
  static func escaped(_ text: String, atStart: Bool = true) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\n", with: " ")
      .replacing("\u{200B}", with: "\\:")
    return atStart && (escaped.hasPrefix(".") || escaped.hasPrefix("'")) ? "\\&" + escaped : escaped
  }

  private static func argument(_ text: String) -> String { escaped(text).replacing("\"", with: "\\(dq") }
}
