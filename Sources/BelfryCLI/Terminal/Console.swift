import BelfryRuntime
import FoundationEssentials
import Glibc
import OrderedJSON

/// Standard output and standard error of a command.
struct Console {
  /// The user's choice of colours; `auto` colours on a terminal.
  enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  private let color: ColorChoice
  private let environment: [String: String]

  init(color: ColorChoice, environment: [String: String]) {
    self.color = color
    self.environment = environment
  }

  /// True if standard output is a terminal.
  var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The terminal's width in columns; `nil` if output goes to a file or a program, for which nothing is cut.
  var width: Int? {
    guard isTerminal else { return nil }
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return environment["COLUMNS"].flatMap { Int($0) } ?? 80
  }

  /// The width for prose: the terminal's, or else `COLUMNS`, or 80; at most 100.
  var pageWidth: Int { min(width ?? environment["COLUMNS"].flatMap { Int($0) } ?? 80, 100) }

  /// The style for standard output.
  var style: Style { Style(isOn: usesColor(STDOUT_FILENO)) }

  /// The style for standard error.
  private var messageStyle: Style { Style(isOn: usesColor(STDERR_FILENO)) }

  /// Prints data for people or programs.
  ///
  /// - Throws: ``OutputClosed`` when the reader has closed the pipe, ``BelfryError`` `.storeFailed` when the disk is
  ///   full.
  func print(_ text: String) throws { try Self.write(text + "\n") }

  /// Prints rows, fitted to the terminal.
  func print(_ table: Table) throws { try print(table.lines(width: width, style: style).joined(separator: "\n")) }

  /// Prints data as one JSON document.
  func print(_ json: JSONValue) throws { try print(TerminalJSON.escaped(json.serialized())) }

  /// Prints a message for people, without control characters. A failure to write it is ignored.
  func report(_ text: String) { StandardError.write(text.visibleLines) }

  /// Prints a message, in red if standard error has colours.
  func warn(_ text: String) { StandardError.write(messageStyle.red(text.visibleLines)) }

  private func usesColor(_ descriptor: Int32) -> Bool {
    switch color {
    case .always: true
    case .never: false
    case .auto:
      isatty(descriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
  }

  /// Writes a text to standard output as it is.
  static func write(_ text: String) throws {
    try OutputFile.put(Array(text.utf8), STDOUT_FILENO, "standard output")
  }
}

/// Colours and weights, or none.
struct Style: Sendable {
  let isOn: Bool

  func red(_ text: String) -> String { dressed(text, "31") }
  func yellow(_ text: String) -> String { dressed(text, "33") }
  func green(_ text: String) -> String { dressed(text, "32") }
  func bold(_ text: String) -> String { dressed(text, "1") }
  func dim(_ text: String) -> String { dressed(text, "2") }

  private func dressed(_ text: String, _ code: String) -> String {
    isOn ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}

/// Sizes in words for a person.
enum ByteCount {
  static func words(_ bytes: Int64) -> String {
    guard bytes >= 1_000 else { return "\(bytes) bytes" }
    var size = Double(bytes) / 1_000
    for unit in ["kB", "MB"] {
      if size < 999.95 { return "\((size * 10).rounded() / 10) \(unit)" }
      size /= 1_000
    }
    return "\((size * 10).rounded() / 10) GB"
  }
}
