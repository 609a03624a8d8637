/// The chosen items that were not snoozed with the others, since they have not rung yet.
struct SkippedItems: Sendable {
  private static let mostNamed = 3

  /// The first of them.
  private let named: [Int64]
  private let count: Int

  /// `nil` if none was skipped.
  init?(_ ids: [Int64]) {
    guard !ids.isEmpty else { return nil }
    (named, count) = (Array(ids.prefix(Self.mostNamed)), ids.count)
  }

  /// The items that the address of a page names; `nil` for none.
  init?(_ fields: FormFields) throws(Problem) {
    let ids = try fields.numbers("skipped")
    guard !ids.isEmpty else { return nil }
    named = Array(ids.prefix(Self.mostNamed))
    count = max(named.count, Int(clamping: try fields.number("skips") ?? 0))
  }

  /// The items as a part of a query.
  var query: String { named.map { "&skipped=\($0)" }.joined() + (count > named.count ? "&skips=\(count)" : "") }

  /// The reason, before the names.
  var reason: String { "Not snoozed, since \(count == 1 ? "it has" : "they have") not rung yet: " }

  /// The texts of the first items, as far as the visitor may see them, and the number of the others.
  func texts(_ sight: Sight) -> (named: [String], others: Int) {
    let texts = named.compactMap { try? sight.item($0).item.text }
    return (texts, count - texts.count)
  }
}
