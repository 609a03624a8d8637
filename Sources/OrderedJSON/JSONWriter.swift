extension JSONValue {
  /// The document as text (RFC 8259), members in order, without a line end behind it.
  ///
  /// Only quotation marks, backslashes and control characters are escaped. Numbers come out in the shortest form that reads
  /// back the same; a `number` always keeps a fraction or an exponent, so that it does not read back as an `integer`.
  /// - Parameter pretty: each member and element on a line of its own, indented by two spaces a level; otherwise no white
  ///   space at all.
  public func serialized(pretty: Bool = false) -> String {
    var bytes: [UInt8] = []
    write(into: &bytes, pretty: pretty)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the document in UTF-8, as `serialized(pretty:)` has it.
  public func write(into output: inout [UInt8], pretty: Bool = false) {
    var writer = JSONWriter(pretty: pretty)
    swap(&writer.output, &output)
    writer.write(self)
    swap(&writer.output, &output)
  }
}

extension JSONObject.Member {
  /// Appends the key, a colon and the value in UTF-8, without white space.
  public func write(into output: inout [UInt8]) {
    var writer = JSONWriter(pretty: false)
    swap(&writer.output, &output)
    writer.write(self)
    swap(&writer.output, &output)
  }
}

/// A writer of values in UTF-8.
struct JSONWriter {
  let pretty: Bool
  var output: [UInt8] = []
  private var level = 0

  init(pretty: Bool) { self.pretty = pretty }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: write("null" as StaticString)
    case .bool(let value): write(value ? "true" : "false" as StaticString)
    case .integer(let value): write(value)
    case .number(let value): write(value.isFinite ? value.description : "null" as String)
    case .string(let value): write(quoted: value)
    case .array(let elements):
      write(elements, between: UInt8(ascii: "["), and: UInt8(ascii: "]")) { writer, element in writer.write(element) }
    case .object(let object):
      write(object.members, between: UInt8(ascii: "{"), and: UInt8(ascii: "}")) { writer, member in
        writer.write(member)
      }
    }
  }

  mutating func write(_ member: JSONObject.Member) {
    write(quoted: member.key)
    output.append(UInt8(ascii: ":"))
    if pretty { output.append(UInt8(ascii: " ")) }
    write(member.value)
  }

  @inline(__always)
  private mutating func write<Part>(
    _ parts: [Part], between opening: UInt8, and closing: UInt8, each: (inout JSONWriter, Part) -> Void
  ) {
    output.append(opening)
    level += 1
    var isFirst = true
    for part in parts {
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      startLine()
      each(&self, part)
    }
    level -= 1
    if !isFirst { startLine() }
    output.append(closing)
  }

  @inline(__always)
  private mutating func startLine() {
    guard pretty else { return }
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
  }

  private mutating func write(_ text: String) {
    output.append(contentsOf: text.utf8)
  }

  private mutating func write(_ literal: StaticString) {
    output.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  private mutating func write(_ integer: Int64) {
    guard 0..<10 ~= integer else { return output.append(contentsOf: integer.description.utf8) }
    output.append(UInt8(ascii: "0") + UInt8(integer))
  }

  /// Writes a string (section 7): runs of plain bytes as they are, what must be escaped in between.
  mutating func write(quoted text: String) {
    var text = text
    text.withUTF8 { utf8 in
      output.append(UInt8(ascii: "\""))
      var start = 0
      while let special = JSONScanning.firstSpecial(in: utf8, from: start) {
        output.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<special]))
        write(escaped: utf8[special])
        start = special + 1
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
      output.append(UInt8(ascii: "\""))
    }
  }

  private mutating func write(escaped byte: UInt8) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case 0x22, 0x5C: output.append(byte)
    default: write("u" + Self.fourHexDigits(byte))
    }
  }
}

extension JSONWriter {
  /// A string as JSON, cut after 60 characters: for error messages, where it can do no harm to a terminal.
  static func quotation(of text: String) -> String {
    var writer = JSONWriter(pretty: false)
    let start = String(text.prefix(60))
    writer.write(quoted: start.utf8.count < text.utf8.count ? start + "…" : start)
    return String(decoding: writer.output, as: UTF8.self)
  }

  /// The name of a control character, as `U+0000`.
  static func codePoint(_ byte: UInt8) -> String { "U+" + fourHexDigits(byte) }

  private static func fourHexDigits(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
