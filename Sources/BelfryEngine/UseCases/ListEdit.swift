import BelfryModel

/// A change of a list's own fields and of its place. A field that is `nil` stays unchanged.
public struct ListEdit: Hashable, Sendable {
  /// The new name.
  public var name: String?
  /// The new colour, or none.
  public var color: FieldEdit<ListColor>?
  /// The new icon, or none.
  public var icon: FieldEdit<ListIcon>?
  /// The new place among the lists.
  public var place: ItemPlace?

  /// An edit that changes nothing.
  public init() {}
}

extension Belfry {
  /// Changes the fields of a list, and its place.
  ///
  /// - Throws: ``BelfryError`` `.notFound`, or `.badInput` if the new name is invalid or taken, or the place is next to
  ///   the list itself.
  package func editList(_ id: Int64, _ edit: ListEdit) throws -> ListSummary {
    try change(as: "list edit") { change in
      let old = try change.transaction.knownList(id)
      var list = old
      if let name = edit.name { list.name = try change.freeName(name, except: id) }
      if let color = edit.color { list.color = color.value }
      if let icon = edit.icon { list.icon = icon.value }
      if edit.name != nil || list != old {
        list.updatedAt = change.stamp
        try change.update(list, from: old)
      }
      if let place = edit.place { try change.move(list, to: place) }
      return try change.summary(of: id)
    }
  }
}

extension Change {
  // The positions stay as they are, and the lists change places.
  fileprivate func move(_ list: Checklist, to place: ItemPlace) throws {
    let before = try transaction.lists()
    var order = before.filter { $0.id != list.id }
    order.insert(list, at: try rank(of: place, among: order, moving: list))
    var positions = before.map(\.position)
    if !zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 }) {
      positions = order.indices.map { Int64($0 + 1) }
    }
    for (old, position) in zip(order, positions) where old.position != position {
      var moved = old
      moved.position = position
      try update(moved, from: old)
    }
  }

  private func rank(of place: ItemPlace, among others: [Checklist], moving list: Checklist) throws -> Int {
    let (id, offset): (Int64, Int)
    switch place {
    case .before(let other): (id, offset) = (other, 0)
    case .after(let other): (id, offset) = (other, 1)
    case .end: return others.count
    }
    guard id != list.id else {
      throw BelfryError(.badInput, "a list cannot be moved beside itself", hint: "name another list")
    }
    guard let rank = others.firstIndex(where: { $0.id == id }) else { throw BelfryError.noList(id) }
    return rank + offset
  }
}
