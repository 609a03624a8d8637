import ICalendar

/// A content line before its parts are parsed.
struct UnfoldedLine {
  /// The number of its first line in the file.
  let number: Int
  /// Its bytes, not checked yet.
  var bytes: [UInt8]
  /// A fault found while reading it.
  var fault: CalendarFault?

  /// The name of the component that the line begins or ends, in upper case; `nil` if it does not.
  func component(_ keyword: StaticString) -> String? {
    let length = keyword.utf8CodeUnitCount
    guard bytes.count >= length else { return nil }
    let matches = keyword.withUTF8Buffer { keyword in
      zip(bytes, keyword).allSatisfy { $0 == $1 || ($0 >= UInt8(ascii: "a") && $0 & 0xDF == $1) }
    }
    guard matches else { return nil }
    let name = bytes[length...].prefix(100).filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return String(decoding: name.map(Self.nameByte), as: UTF8.self)
  }

  /// A byte of a name in upper case; `?` for a byte that cannot be part of a name.
  private static func nameByte(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): byte
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte & 0xDF
    default: UInt8(ascii: "?")
    }
  }
}

/// Reads the content lines of a file: a line that starts with a space or a tab continues the one before (RFC 5545,
/// section 3.1). Lines are joined as bytes, since a fold may split a character.
struct ContentLineReader {
  /// The most bytes of an unfolded line.
  static let longest = 1 << 24

  private var lines: LineReader
  private var ahead: Line?
  private var isAtStart = true

  /// A reader of the rest of a source.
  init(_ source: ByteSource) { lines = LineReader(source, limit: Self.longest) }

  /// The next line that is not blank; `nil` at the end.
  ///
  /// - Throws: as the source.
  mutating func next() throws -> UnfoldedLine? {
    guard let first = try nextFilledLine() else { return nil }
    var line = UnfoldedLine(number: first.number, bytes: first.bytes)
    if first.isTooLong { line.fault = tooLong(first.number) }
    if isAtStart {
      // No line precedes the first one, so the space is a slip.
      line.bytes = Array(first.bytes.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
      isAtStart = false
    } else if Self.isFolded(first) {
      line.fault = CalendarFault(
        line: first.number, reason: "it starts with a space, as a folded line does, but there is no line before it")
    }
    ahead = try lines.next()
    while let more = ahead, Self.isFolded(more) {
      if line.fault == nil, more.isTooLong || line.bytes.count + more.bytes.count > Self.longest {
        line.fault = tooLong(first.number)
      }
      if line.fault == nil { line.bytes += more.bytes.dropFirst() }
      ahead = try lines.next()
    }
    return line
  }

  private mutating func nextFilledLine() throws -> Line? {
    while true {
      let line: Line?
      if let ahead {
        line = ahead
        self.ahead = nil
      } else {
        line = try lines.next()
      }
      guard let line else { return nil }
      if !line.bytes.isEmpty { return line }
    }
  }

  private func tooLong(_ number: Int) -> CalendarFault {
    CalendarFault(line: number, reason: "it is longer than \(Self.longest >> 20) MiB")
  }

  private static func isFolded(_ line: Line) -> Bool {
    line.bytes.first == UInt8(ascii: " ") || line.bytes.first == UInt8(ascii: "\t")
  }
}
