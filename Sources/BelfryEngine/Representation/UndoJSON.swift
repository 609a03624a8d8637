import BelfryModel
import OrderedJSON

extension Viewpoint {
  /// The result of an undo as in `--json`: an entry for each list and item.
  ///
  /// - Parameter summaries: the lists after it.
  public func json(_ undone: UndoneChange, lists summaries: [ListSummary]) -> JSONValue {
    func entry(_ fate: UndoneChange.Fate, item: JSONValue = .null, list: JSONValue = .null) -> JSONValue {
      [
        "command": .string(undone.command), "changed_at": .instant(undone.date, planner.floatingZone),
        "fate": .string(fate.rawValue), "item": item, "list": list,
      ]
    }
    let lists = undone.lists.map { list in
      let now = summaries.first { $0.list.id == list.list.id }
      let gone = ListSummary(list: list.list, items: 0, remaining: 0, overdue: 0, nextFireDate: nil)
      return entry(list.fate, list: json(now ?? gone))
    }
    return .array(lists + undone.items.map { entry($0.fate, item: json($0.change.listing)) })
  }
}
