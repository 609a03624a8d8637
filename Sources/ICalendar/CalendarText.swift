/// Values of type TEXT (RFC 5545, section 3.3.11).
package enum CalendarText {
  /// The text of a value. A backslash that escapes nothing is kept: programs that do not escape wrote it.
  package static func unescaped(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "\\")) else { return value }
    var text: [UInt8] = []
    text.reserveCapacity(value.utf8.count)
    var rest = value.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.first else {
        text.append(byte)
        continue
      }
      switch next {
      case UInt8(ascii: "n"), UInt8(ascii: "N"): text.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","): text.append(next)
      default: text += [byte, next]
      }
      rest = rest.dropFirst()
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The value of a text. Control characters other than the line feed stay, and no line of a calendar can hold them.
  package static func escaped(_ text: String) -> String {
    var value: [UInt8] = []
    value.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","): value += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): value += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      default: value.append(byte)
      }
    }
    return String(decoding: value, as: UTF8.self)
  }
}

/// Values of parameters, with quotes and line ends escaped by RFC 6868.
package enum ParameterText {
  /// The text of a value.
  package static func unescaped(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "^")) else { return value }
    var text = ""
    var isEscaped = false
    for scalar in value.unicodeScalars {
      guard isEscaped else {
        if scalar == "^" { isEscaped = true } else { text.unicodeScalars.append(scalar) }
        continue
      }
      isEscaped = false
      switch scalar {
      case "n": text += "\n"
      case "'": text += "\""
      case "^": text += "^"
      default: text += "^\(scalar)"
      }
    }
    return isEscaped ? text + "^" : text
  }
}

extension ParameterText {
  /// The value of a text, in quotes if it needs them.
  package static func escaped(_ text: String) -> String {
    var value = ""
    var needsQuotes = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "^": value += "^^"
      case "\"": value += "^'"
      case "\n": value += "^n"
      case ":", ";", ",":
        needsQuotes = true
        value.unicodeScalars.append(scalar)
      default: value.unicodeScalars.append(scalar)
      }
    }
    return needsQuotes ? "\"\(value)\"" : value
  }
}
