import CivilTime

/// Checks by its first bytes whether a file is a calendar at all.
enum CalendarStart {
  private static let looked = 4_096

  /// Checks the first bytes of a source, without using them.
  ///
  /// - Throws: ``ImportError`` that says what the file is instead and what to do; as the source.
  static func check(_ source: ByteSource) throws {
    let bytes = try source.peek(looked)
    try ImportError.refuseWide(bytes)
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    let first = content.drop(while: isSpace).prefix { $0 != 0x0A }
    guard first.prefix(6).map({ $0 >= UInt8(ascii: "a") ? $0 & 0xDF : $0 }).elementsEqual("BEGIN:".utf8) else {
      let seen = first.isEmpty ? "nothing" : inQuotes(String(decoding: first.prefix(200), as: UTF8.self))
      throw ImportError(message: "is not a calendar: its first line should be BEGIN:VCALENDAR, found \(seen)")
    }
    if first.dropLast().contains(0x0D) {
      throw ImportError(
        message: "has lines that end in CR alone: convert the line ends, for example with tr '\\r' '\\n'")
    }
  }
}
