import BelfryEngine
import OrderedJSON

/// The page that a request asks for.
struct PageRequest: Sendable {
  /// The most elements of a page.
  static let most = 500
  private static let usual = 100

  let limit: Int
  /// The place before its first element; `nil` for the first page.
  fileprivate let start: PagePlace?
  fileprivate let seal: PageSeal

  /// The page that a query asks for.
  ///
  /// - Throws: ``Problem`` 400.
  init(_ query: APIQuery, _ seal: PageSeal) throws(Problem) {
    self.seal = seal
    limit = try query.number("limit", in: 1...Int64(Self.most)).map { Int($0) } ?? Self.usual
    guard let cursor = query["cursor"] else {
      start = nil
      return
    }
    guard let place = seal.open(cursor).flatMap(PagePlace.init) else {
      throw Problem(
        .badRequest, "the query's 'cursor' must come from a Link header of this path, sent to the same visitor",
        hint: "leave it out to begin with the first page")
    }
    start = place
  }

  /// The first number of the key at which the page begins; `nil` for the first page.
  var firstKey: Int64? { start?.key.first }

  /// The number of elements to read if those before the page's first key are skipped.
  var reach: Int { limit + (start?.count ?? 0) + 1 }
}

/// A position among elements in the order of their keys: after `count` elements with `key`.
private struct PagePlace: Hashable, Sendable {
  var key: [Int64]
  var count: Int

  init(key: [Int64], count: Int) { (self.key, self.count) = (key, count) }

  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let numbers = words.compactMap { Int64($0) }
    guard numbers.count == words.count, numbers.count > 1, let count = numbers.last, Self.counts ~= count else {
      return nil
    }
    self.init(key: Array(numbers.dropLast()), count: Int(count))
  }

  // No store has more elements with one key.
  private static let counts: ClosedRange<Int64> = 0...1 << 32

  var text: String { (key + [Int64(count)]).map { "\($0)" }.joined(separator: " ") }
}

/// One page of elements that come in the order of their keys.
///
/// The sealed cursor holds the key of the last element, not a number of elements, so that additions and removals before
/// it neither repeat nor skip elements.
struct Page: Sendable {
  private let request: PageRequest
  private(set) var elements: [JSONValue] = []
  /// The cursor of the next page; `nil` for the last one.
  private(set) var next: String?
  private var last = PagePlace(key: [], count: 0)
  private var skipped = 0

  /// Takes a page from a visit.
  ///
  /// - Parameter visit: calls its argument with each element and its key, until the argument returns `.stop`.
  init(
    _ request: PageRequest, _ visit: ((_ element: JSONValue, _ key: [Int64]) throws -> VisitResult) throws -> Void
  ) throws {
    self.request = request
    try visit { try add($0, $1) }
  }

  private mutating func add(_ element: JSONValue, _ key: [Int64]) throws -> VisitResult {
    try Task.checkCancellation()
    if let start = request.start {
      if key.lexicographicallyPrecedes(start.key) { return .next }
      if key == start.key, skipped < start.count {
        skipped += 1
        last = PagePlace(key: key, count: skipped)
        return .next
      }
    }
    guard elements.count < request.limit else {
      next = request.seal.close(last.text)
      return .stop
    }
    elements.append(element)
    last = PagePlace(key: key, count: last.key == key ? last.count + 1 : 1)
    return .next
  }
}
