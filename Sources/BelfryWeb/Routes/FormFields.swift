import Hummingbird

/// The numbers that a form of a page sends.
struct FormFields {
  private let pairs: [(name: Substring, value: Substring)]

  private static let most = 4_096

  /// Reads a request's body.
  ///
  /// - Throws: ``Problem`` 415 for one that is not of a form.
  init(_ request: Request) async throws {
    let body = String(buffer: try await request.body.collect(upTo: Self.most))
    let type = request.headers[.contentType]?.lowercased().prefix { $0 != ";" && $0 != " " }
    guard body.isEmpty || type == "application/x-www-form-urlencoded" else {
      throw Problem(.unsupportedMediaType, "expected the fields of a form", hint: "send it without a body")
    }
    pairs = body.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (parts[0], parts.count == 2 ? parts[1] : "")
    }
  }

  /// A number; `nil` where it was not sent.
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

  /// The number of the answer to take back.
  ///
  /// - Throws: ``Problem`` 400 where the form names none.
  func answer() throws(Problem) -> Int64 {
    guard let number = try number("answer") else { throw Problem(.badRequest, "the form names no answer") }
    return number
  }
}
