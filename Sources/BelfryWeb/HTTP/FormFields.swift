import Hummingbird

/// The fields that a form of a page sends, and those of a query.
struct FormFields: Sendable {
  private let pairs: [(name: Substring, value: Substring)]

  /// Reads a request's body.
  ///
  /// - Parameter limit: the most bytes; few for a form without texts.
  /// - Throws: ``Problem`` 415 if the body is not a form.
  init(_ request: Request, upTo limit: Int = 4_096) async throws {
    let body = String(buffer: try await request.body.collect(upTo: limit))
    let type = request.headers[.contentType]?.lowercased().prefix { $0 != ";" && $0 != " " }
    guard body.isEmpty || type == "application/x-www-form-urlencoded" else {
      throw Problem(
        .unsupportedMediaType, "expected form fields", hint: "send application/x-www-form-urlencoded, or no body")
    }
    self.init(body)
  }

  /// The fields of a query.
  init(query request: Request) { self.init(request.uri.query ?? "") }

  /// Fields as a form and a query write them.
  init(_ text: String) {
    pairs = text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (parts[0], parts.count == 2 ? parts[1] : "")
    }
  }

  /// The most bytes of a form that holds texts.
  static let mostText = 1_048_576

  /// A text; `nil` if it was not sent, the first if it was sent more than once.
  ///
  /// - Throws: ``Problem`` 400 for text that is not UTF-8.
  func text(_ name: String) throws(Problem) -> String? {
    guard let value = pairs.first(where: { $0.name == name })?.value else { return nil }
    guard let text = Self.decoded(value) else {
      throw Problem(.badRequest, "the form's field '\(name)' is not UTF-8")
    }
    return text
  }

  /// True if a field was sent.
  func contains(_ name: String) -> Bool { pairs.contains { $0.name == name } }

  /// A number; `nil` if it was not sent.
  ///
  /// - Throws: ``Problem`` 400 for anything else.
  func number(_ name: String) throws(Problem) -> Int64? {
    let values = pairs.filter { $0.name == name }.map(\.value)
    guard let value = values.first else { return nil }
    guard values.count == 1, value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(value) else {
      throw Problem(.badRequest, "the form's field '\(name)' is not one number")
    }
    return number
  }

  /// The numbers of a field that may be sent more than once.
  ///
  /// - Throws: ``Problem`` 400 for anything else.
  func numbers(_ name: String) throws(Problem) -> [Int64] {
    let values = pairs.filter { $0.name == name }.map(\.value)
    let numbers = values.compactMap { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64($0) : nil }
    guard numbers.count == values.count else {
      throw Problem(.badRequest, "the form's field '\(name)' is not a number")
    }
    return numbers
  }

  /// The number of the answer to take back.
  ///
  /// - Throws: ``Problem`` 400 if the form names none.
  func answer() throws(Problem) -> Int64 {
    guard let number = try number("answer") else { throw Problem(.badRequest, "the form has no field 'answer'") }
    return number
  }

  /// A text as a query holds it.
  static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        bytes.append(byte)
      default:
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // A percent sign that encodes nothing is kept (URL Standard, section 5.1).
  private static func decoded(_ value: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = value.utf8
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        if digits.count == 2 {
          bytes.append(UInt8(digits[0] << 4 | digits[1]))
          rest = rest.dropFirst(2)
        } else {
          bytes.append(byte)
        }
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
