import BelfryModel

/// A place among the items of a list, or among the lists.
public enum ItemPlace: Hashable, Sendable {
  /// Before the item or list with this id.
  case before(Int64)
  /// After the item or list with this id.
  case after(Int64)
  case end

  /// The item or list next to it; `nil` for the end.
  package var neighbour: Int64? {
    switch self {
    case .before(let id), .after(let id): id
    case .end: nil
    }
  }
}

extension Belfry {
  /// Moves an item to another place on its list.
  ///
  /// - Throws: ``BelfryError`` `.notFound` for an unknown item, `.badInput` for a place on another list or next to the
  ///   item itself, and errors of the store.
  package func move(_ id: Int64, to place: ItemPlace) throws -> ItemChange {
    try change(as: "move") { try $0.move(id, to: place) }
  }
}

extension Change {
  /// The distance between renumbered positions, so that many items fit between two.
  private static let spacing: Int64 = 1_024

  fileprivate func move(_ id: Int64, to place: ItemPlace) throws -> ItemChange {
    let old = try item(id)
    var others: [Item] = []
    var rank = 0
    try transaction.forEachItem(ItemQuery(listID: old.item.listID, kind: .any, checked: .any, order: .place)) {
      listing in
      if listing.item.id == id { rank = others.count } else { others.append(listing.item) }
    }
    let target = try self.rank(of: place, among: others, moving: old)
    guard target != rank else { return try unchanged(id) }
    var moved = old.item
    if let position = Self.position(at: target, among: others) {
      moved.position = position
    } else {
      // These positions are never shown, so that undoing need not restore them.
      var before = moved
      before.position = Self.spacing * Int64(rank) + Self.spacing / 2
      if before.position != moved.position { try transaction.update(before) }
      for (rank, item) in others.enumerated() where item.position != Self.spacing * Int64(rank + 1) {
        var item = item
        item.position = Self.spacing * Int64(rank + 1)
        try transaction.update(item)
      }
      moved.position = Self.spacing * Int64(target) + Self.spacing / 2
      moved.updatedAt = stamp
      return try replace(before, with: moved)
    }
    moved.updatedAt = stamp
    return try replace(old.item, with: moved)
  }

  private func rank(of place: ItemPlace, among others: [Item], moving old: ItemListing) throws -> Int {
    let (id, offset): (Int64, Int)
    switch place {
    case .before(let other): (id, offset) = (other, 0)
    case .after(let other): (id, offset) = (other, 1)
    case .end: return others.count
    }
    guard id != old.item.id else {
      throw BelfryError(
        .badInput, "\(old.item.quoted) cannot be moved beside itself", hint: "name another item of its list")
    }
    guard let rank = others.firstIndex(where: { $0.id == id }) else {
      let other = try item(id)
      throw BelfryError(
        .badInput, "\(other.item.quoted) is on '\(other.listName)', not on '\(old.listName)'",
        hint: "move an item to another list with belfry edit \(old.item.id) -l LIST")
    }
    return rank + offset
  }

  /// A free position before the item of this rank; `nil` if there is none.
  private static func position(at rank: Int, among items: [Item]) -> Int64? {
    let before = rank > 0 ? items[rank - 1].position : nil
    let after = rank < items.count ? items[rank].position : nil
    switch (before, after) {
    case (nil, nil): return 1
    case (let before?, nil): return before < .max ? before + 1 : nil
    case (nil, let after?): return after > .min ? after - 1 : nil
    case (let before?, let after?):
      let (gap, isTooWide) = after.subtractingReportingOverflow(before)
      return gap > 1 && !isTooWide ? before + gap / 2 : nil
    }
  }
}
