import BelfryModel
import HTTPTypes

/// The query of a request, whose names its operation declares.
struct APIQuery: Sendable {
  private let values: [String: String]

  /// Reads a query.
  ///
  /// - Throws: ``Problem`` 400 for a name that is unknown, has no value or appears twice, and for text that is not
  ///   UTF-8.
  init(_ query: String, names: [String]) throws(Problem) {
    var values: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let spaced = parts.map { Substring($0.map { $0 == "+" ? "%20" : String($0) }.joined()) }
      guard let name = RequestTarget.decoded(spaced[0]), names.contains(name) else {
        throw Problem(
          .badRequest, "the query has an unknown name '\(parts[0])'",
          hint: names.isEmpty ? "this takes no query" : "it takes \(names.joined(separator: ", "))")
      }
      guard values[name] == nil else { throw Problem(.badRequest, "the query has '\(name)' twice") }
      guard let value = RequestTarget.decoded(spaced.count == 2 ? spaced[1] : "") else {
        throw Problem(.badRequest, "the query's '\(name)' is not UTF-8")
      }
      guard !value.isEmpty else {
        throw Problem(.badRequest, "the query's '\(name)' is empty", hint: "leave it out")
      }
      values[name] = value
    }
    self.values = values
  }

  /// A value; `nil` for a name that is not there.
  subscript(_ name: String) -> String? { values[name] }

  /// A truth value; `nil` for a name that is not there.
  ///
  /// - Throws: ``Problem`` 400.
  func flag(_ name: String) throws(Problem) -> Bool? {
    switch values[name] {
    case nil: return nil
    case "true": return true
    case "false": return false
    default: throw Problem(.badRequest, "the query's '\(name)' is neither true nor false")
    }
  }

  /// A whole number in a range; `nil` for a name that is not there.
  ///
  /// - Throws: ``Problem`` 400.
  func number(_ name: String, in range: ClosedRange<Int64> = 0...Int64.max) throws(Problem) -> Int64? {
    guard let text = values[name] else { return nil }
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(text), range.contains(number) else {
      throw Problem(
        .badRequest, "the query's '\(name)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// One of several words; `nil` for a name that is not there.
  ///
  /// - Throws: ``Problem`` 400.
  func one<Value>(_ name: String, of all: [Value], _ word: (Value) -> String) throws(Problem) -> Value? {
    guard let text = values[name] else { return nil }
    guard let value = all.first(where: { word($0) == text }) else {
      throw Problem(
        .badRequest, "the query's '\(name)' is not one of \(all.map(word).joined(separator: ", "))")
    }
    return value
  }
}
