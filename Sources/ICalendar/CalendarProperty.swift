import CivilTime

/// The reason why a line or a component of a calendar cannot be imported, with its line.
package struct CalendarFault: Error, Hashable {
  package let line: Int
  package let reason: String

  package init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }
}

/// A content line, unfolded: `NAME;PARAMETER=VALUE:value` (RFC 5545, section 3.1).
package struct CalendarProperty: Hashable {
  /// One parameter, its values without quotes and unescaped (RFC 6868).
  package struct Parameter: Hashable {
    /// The name in upper case.
    package let name: String
    package let values: [String]
  }

  /// The number of its first line in the file, from 1.
  package let number: Int
  /// The name in upper case.
  package let name: String
  package let parameters: [Parameter]
  /// The value as written, with the escapes of its type.
  package let value: String
  /// The whole line as written.
  package let text: String

  /// A line with its parts.
  ///
  /// - Throws: a fault about bytes that are not UTF-8, control characters, or another form of line.
  package init(_ bytes: [UInt8], number: Int) throws(CalendarFault) {
    func fault(_ reason: String) -> CalendarFault { CalendarFault(line: number, reason: reason) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw fault(
        "it is not in UTF-8: convert the file, from Latin-1 for example with iconv -f ISO-8859-1 -t UTF-8")
    }
    if let control = bytes.first(where: { ($0 < 0x20 && $0 != UInt8(ascii: "\t")) || $0 == 0x7F }) {
      throw fault("it holds the control character \(Unicode.Scalar(control).codePoint)")
    }
    var scanner = PropertyScanner(rest: bytes[...])
    guard let name = scanner.name() else {
      throw fault(
        "\(inQuotes(text)) is not NAME:VALUE; the continuation of a line needs a space at its start")
    }
    var parameters: [Parameter] = []
    while scanner.consume(UInt8(ascii: ";")) {
      guard let parameter = scanner.parameter() else { throw fault("a parameter of its \(name) is not NAME=VALUE") }
      parameters.append(parameter)
    }
    guard scanner.consume(UInt8(ascii: ":")) else { throw fault("its \(name) has no colon before a value") }
    self.number = number
    self.name = name
    self.parameters = parameters
    self.text = text
    value = String(decoding: scanner.rest, as: UTF8.self)
  }

  /// The first value of a parameter, by its name in upper case.
  package func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.values.first }
}

/// Reads the parts of a content line from its front.
private struct PropertyScanner {
  var rest: ArraySlice<UInt8>

  mutating func consume(_ symbol: UInt8) -> Bool {
    guard rest.first == symbol else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// A name of letters, digits and hyphens, and also of `_` and `.`, which are in use.
  mutating func name() -> String? {
    let name = rest.prefix { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    rest = rest.dropFirst(name.count)
    guard !name.isEmpty,
      rest.first == UInt8(ascii: ":") || rest.first == UInt8(ascii: ";") || rest.first == UInt8(ascii: "=")
    else { return nil }
    return String(decoding: name, as: UTF8.self).uppercased()
  }

  mutating func parameter() -> CalendarProperty.Parameter? {
    guard let name = name(), consume(UInt8(ascii: "=")) else { return nil }
    var values: [String] = []
    repeat {
      guard let value = parameterValue() else { return nil }
      values.append(ParameterText.unescaped(value))
    } while consume(UInt8(ascii: ","))
    return CalendarProperty.Parameter(name: name, values: values)
  }

  private mutating func parameterValue() -> String? {
    let quote = UInt8(ascii: "\"")
    let value: ArraySlice<UInt8>
    if consume(quote) {
      value = rest.prefix { $0 != quote }
      rest = rest.dropFirst(value.count)
      guard consume(quote) else { return nil }
    } else {
      value = rest.prefix {
        $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ",") && $0 != quote
      }
      rest = rest.dropFirst(value.count)
    }
    return String(decoding: value, as: UTF8.self)
  }
}
