import BelfryModel
import CivilTime
import OrderedJSON

/// An item or list that an undo changed, as JSON shows it.
struct ShownUndoneEntry {
  let undone: UndoneChange
  let fate: UndoneChange.Fate
  var item: ShownItem?
  var list: ShownList?
  let zone: Zone
}

extension ShownForms {
  static let undoneEntry = ShownForm<ShownUndoneEntry>("UndoneEntry") { members in
    members.add("command", .text) { $0.undone.command }
    members.add("changed_at", .instant) { OffsetInstant($0.undone.date, in: $0.zone) }
    members.add("fate", .word(UndoneChange.Fate.self) { $0.rawValue }) { $0.fate }
    members.addNullable("item", .item) { $0.item }
    members.addNullable("list", .form(list)) { $0.list }
  }
}

extension Viewpoint {
  /// The result of an undo as in `--json`: an entry for each list and item.
  ///
  /// - Parameter summaries: the lists after the undo.
  public func json(_ undone: UndoneChange, lists summaries: [ListSummary]) -> JSONValue {
    let zone = planner.floatingZone
    let lists = undone.lists.map { list in
      let now = summaries.first { $0.list.id == list.list.id }
      let gone = ListSummary(list: list.list, items: 0, remaining: 0, overdue: 0, nextFireDate: nil)
      return ShownUndoneEntry(undone: undone, fate: list.fate, list: ShownList(now ?? gone, self), zone: zone)
    }
    let items = undone.items.map {
      ShownUndoneEntry(undone: undone, fate: $0.fate, item: ShownItem($0.change.listing, self), zone: zone)
    }
    return .array((lists + items).map { ShownForms.undoneEntry.json($0) })
  }
}
