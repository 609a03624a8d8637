import BelfryModel
import FoundationEssentials
import ICalendar

/// Items in their original order, each followed by its children (RELATED-TO, RFC 5545, section 3.8.4.5): a family is at
/// the place of its first item.
package struct ItemOutline {
  /// An item, and the number of items that it is below.
  package struct Row {
    package let listing: ItemListing
    package let depth: Int
  }

  /// The siblings of an item, which have the same parent; `nil` if there is none.
  package struct Siblings: Hashable {
    /// The first of all siblings; `nil` if that is the item itself.
    package var first: Int64?
    package var above: Int64?
    package var below: Int64?
  }

  /// The rows, one for each item.
  package let rows: [Row]

  package init(_ listings: [ItemListing]) {
    // Most lists have no item with a parent.
    let hasFamilies = listings.contains { $0.item.parent != nil }
    rows = hasFamilies ? Families(listings).rows() : listings.map { Row(listing: $0, depth: 0) }
  }

  /// The siblings of each row.
  package var siblings: [Siblings] {
    var found = Array(repeating: Siblings(), count: rows.count)
    // At each depth, the first and the latest of the current row's siblings.
    var open: [(first: Int, last: Int)] = []
    for (index, row) in rows.enumerated() {
      guard row.depth < open.count else {
        open.append((index, index))
        continue
      }
      open.removeLast(open.count - row.depth - 1)
      let (first, last) = open[row.depth]
      (found[index].first, found[index].above) = (rows[first].listing.item.id, rows[last].listing.item.id)
      found[last].below = row.listing.item.id
      open[row.depth].last = index
    }
    return found
  }
}

/// Items that have parents among them.
private struct Families {
  let listings: [ItemListing]
  // The index of each item's parent, and the indexes of each item's children.
  private var parents: [Int: Int] = [:]
  private var children: [Int: [Int]] = [:]

  init(_ listings: [ItemListing]) {
    self.listings = listings
    let places = Dictionary(listings.enumerated().map { ($1.item.uuid, $0) }) { first, _ in first }
    for (index, listing) in listings.enumerated() {
      guard let parent = listing.item.parent.flatMap({ places[$0] }), parent != index else { continue }
      parents[index] = parent
      children[parent, default: []].append(index)
    }
  }

  func rows() -> [ItemOutline.Row] {
    var rows: [ItemOutline.Row] = []
    var isShown = Array(repeating: false, count: listings.count)
    for index in listings.indices where !isShown[index] {
      var open = [(index: root(of: index), depth: 0)]
      while let (index, depth) = open.popLast() {
        guard !isShown[index] else { continue }
        isShown[index] = true
        rows.append(ItemOutline.Row(listing: listings[index], depth: depth))
        open += (children[index] ?? []).reversed().map { ($0, depth + 1) }
      }
    }
    return rows
  }

  // The item at the top; in a circle of items, the one that is reached first.
  private func root(of index: Int) -> Int {
    var (root, passed) = (index, Set([index]))
    while let parent = parents[root] {
      guard passed.insert(parent).inserted else { return parent }
      root = parent
    }
    return root
  }
}

extension Item {
  /// The identity of the item's parent.
  package var parent: UUID? {
    // A kept alarm may have such a line too, which names another alarm.
    let own = properties.prefix { !$0.hasPrefix("BEGIN:") }
    for text in own where text.utf8.starts(with: "RELATED-TO".utf8) {
      guard let line = try? CalendarProperty(Array(text.utf8), number: 0), line.name == "RELATED-TO" else { continue }
      if (line.parameter("RELTYPE") ?? "PARENT").uppercased() == "PARENT" { return UUID(calendarUID: line.value) }
    }
    return nil
  }
}
