import Transport

extension HTTPResponse {
  init(_ answer: HTTPExchange.Answer) {
    var fields: [HTTPField] = []
    answer.head.withUnsafeBytes { head in
      // Skips the status line.
      var rest = head.drop { !isLineEnd($0) }
      while !rest.isEmpty {
        let line = rest.prefix { !isLineEnd($0) }
        fields.appendField(line)
        rest = rest[line.endIndex...].dropFirst()
      }
    }
    self.init(status: answer.status, fields: fields, body: answer.body)
  }
}

/// True for CR and LF.
func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

extension [HTTPField] {
  fileprivate mutating func appendField(_ line: Slice<UnsafeRawBufferPointer>) {
    let isFolded = line.first.map { $0 == 0x20 || $0 == 0x09 } ?? false
    if isFolded, let last = popLast() {
      // A folded line (RFC 9112 section 5.2).
      append(HTTPField(last.name, "\(last.value) \(Self.trimmed(line))"))
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      append(HTTPField(String(decoding: line[..<colon], as: UTF8.self), Self.trimmed(line[(colon + 1)...])))
    }
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let start = bytes.drop(while: isBlank)
    let end = start.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start.startIndex
    return String(decoding: start[..<end], as: UTF8.self)
  }
}
