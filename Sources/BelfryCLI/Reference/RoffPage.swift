/// A manual page in the language of man(7).
struct RoffPage {
  private var lines: [String]

  /// An empty page.
  ///
  /// - Parameters:
  ///   - name: the page's name, as people look it up.
  ///   - section: 1 for programs, 5 for files.
  ///   - version: what it describes.
  init(name: String, section: Int, version: String) {
    lines = [#".TH "\#(Self.argument(name.uppercased()))" \#(section) "" "Belfry \#(Self.argument(version))" "Belfry""#]
  }

  /// The page's source.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// A section.
  mutating func heading(_ title: String) { lines.append(".SH \"\(Self.argument(title))\"") }

  /// A section within a section.
  mutating func subheading(_ title: String) { lines.append(".SS \"\(Self.argument(title))\"") }

  /// How a program is called.
  mutating func synopsis(_ call: String) {
    heading("SYNOPSIS")
    lines.append(".B \"\(Self.argument(call))\"")
  }

  /// A paragraph, filled.
  mutating func paragraph(_ text: String) {
    startParagraph()
    lines.append(Self.escaped(text))
  }

  /// The name line, which `apropos` reads.
  mutating func name(_ name: String, _ words: String) {
    heading("NAME")
    lines.append("\(Self.escaped(name)) \\- \(Self.escaped(words))")
  }

  /// A label in bold, with words below and beside it.
  mutating func item(_ label: String, _ words: String) {
    lines += [".TP", ".B \"\(Self.argument(label))\"", Self.escaped(words)]
  }

  /// Lines as they are.
  mutating func example(_ examples: [String]) {
    startParagraph()
    lines += [".nf", ".RS 4"] + examples.map { $0.isEmpty ? ".sp" : Self.escaped($0) } + [".RE", ".fi"]
  }

  // A heading starts one by itself.
  private mutating func startParagraph() {
    if lines.last?.hasPrefix(".S") == false { lines.append(".PP") }
  }

  // What stands at the start of a line must not be taken for a request, a hyphen not for one of prose.
  private static func escaped(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\n", with: " ")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  private static func argument(_ text: String) -> String { escaped(text).replacing("\"", with: "\\(dq") }
}
