/// The content lines of a calendar as ranges of its bytes, folds included (RFC 5545, section 3.1).
struct ContentLines {
  /// A line with its continuations and line ends.
  struct Line {
    let range: Range<Int>
    /// The name of the property in upper case, `BEGIN` and `END` included.
    let name: String
    /// The name of the component that a `BEGIN` or `END` is about, in upper case.
    let component: String
  }

  /// A component: the range of its lines, and its direct parts.
  struct Component {
    let name: String
    /// The numbers of its lines, `BEGIN` and `END` included.
    fileprivate(set) var lines: Range<Int>
    /// The numbers of its own properties.
    fileprivate(set) var properties: [Int] = []
    fileprivate(set) var components: [Component] = []
  }

  let bytes: [UInt8]
  let lines: [Line]

  /// Splits bytes into content lines.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var lines: [Line] = []
    var start = 0
    while start < bytes.count {
      var end = start
      repeat {
        end = (bytes[end...].firstIndex(of: 0x0A) ?? bytes.count - 1) + 1
      } while end < bytes.count && (bytes[end] == 0x20 || bytes[end] == 0x09)
      lines.append(Self.line(start..<end, of: bytes))
      start = end
    }
    self.lines = lines
  }

  private static func line(_ range: Range<Int>, of bytes: [UInt8]) -> Line {
    let name = bytes[range].prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") && $0 > 0x20 }
    let upper = String(decoding: name, as: UTF8.self).uppercased()
    guard upper == "BEGIN" || upper == "END" else { return Line(range: range, name: upper, component: "") }
    let value = Array(bytes[range].dropFirst(name.count + 1)).trimmedSpace
    return Line(range: range, name: upper, component: String(decoding: value, as: UTF8.self).uppercased())
  }

  /// The numbers of the lines as other readers count them: the number of the first line of the file that each begins at.
  var numbers: [Int] {
    var number = 1
    return lines.map { line in
      defer { number += bytes[line.range].count { $0 == 0x0A } }
      return number
    }
  }

  /// The bytes of a line without its folds and its end.
  func unfolded(_ line: Int) -> [UInt8] {
    var unfolded: [UInt8] = []
    var isAtStart = false
    for byte in text(line) where byte != 0x0D {
      if byte != 0x0A, !isAtStart { unfolded.append(byte) }
      isAtStart = byte == 0x0A
    }
    return unfolded
  }

  func text(_ line: Int) -> ArraySlice<UInt8> { bytes[lines[line].range] }

  /// The bytes of several lines.
  func text(_ range: Range<Int>) -> ArraySlice<UInt8> {
    guard let first = range.first, let last = range.last else { return [] }
    return bytes[lines[first].range.lowerBound..<lines[last].range.upperBound]
  }

  /// The end of a line, as the file writes it.
  var lineEnd: [UInt8] {
    guard let first = lines.first, let end = bytes[first.range].firstIndex(of: 0x0A) else { return [0x0D, 0x0A] }
    return end > 0 && bytes[end - 1] == 0x0D ? [0x0D, 0x0A] : [0x0A]
  }

  /// The complete components at the top.
  var components: [Component] {
    var open: [Component] = []
    var complete: [Component] = []
    for (number, line) in lines.enumerated() {
      switch line.name {
      case "BEGIN": open.append(Component(name: line.component, lines: number..<number + 1))
      case "END":
        guard var closed = open.popLast(), closed.name == line.component else { return complete }
        closed.lines = closed.lines.lowerBound..<number + 1
        if open.isEmpty { complete.append(closed) } else { open[open.count - 1].components.append(closed) }
      default: if !open.isEmpty { open[open.count - 1].properties.append(number) }
      }
    }
    return complete
  }

  /// The to-do that is not a changed occurrence of another.
  var todo: Component? {
    let all = components.flatMap { $0.name == "VTODO" ? [$0] : $0.components }
    return all.first { component in
      component.name == "VTODO" && !component.properties.contains { lines[$0].name == "RECURRENCE-ID" }
    }
  }

  /// The properties of a component by name, each name's in order.
  func properties(of component: Component) -> [String: [ArraySlice<UInt8>]] {
    var found: [String: [ArraySlice<UInt8>]] = [:]
    for number in component.properties { found[lines[number].name, default: []].append(text(number)) }
    return found
  }
}
