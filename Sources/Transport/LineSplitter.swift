/// Splits bytes that arrive piece by piece into lines, such as JSON lines.
public struct LineSplitter: Sendable {
  private let longest: Int
  private var rest: [UInt8] = []

  /// A splitter at the start of a line.
  ///
  /// - Parameter longest: the most bytes of a line that are kept. The rest of a longer line is dropped, which leaves
  ///   malformed JSON.
  public init(longest: Int) { self.longest = longest }

  /// The lines that end within these bytes, without LF or CRLF; empty lines are left out.
  ///
  /// A last line without an end is never returned, since it may be incomplete.
  public mutating func lines(endedBy bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    let unfinished = pieces.popLast() ?? []
    for piece in pieces {
      keep(piece)
      if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
      if !rest.isEmpty { lines.append(rest) }
      rest = []
    }
    keep(unfinished)
    return lines
  }

  private mutating func keep(_ piece: ArraySlice<UInt8>) {
    rest += piece.prefix(longest - rest.count)
  }
}
