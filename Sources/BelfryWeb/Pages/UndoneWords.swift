import BelfryEngine
import BelfryModel

/// The name of a change that was undone or redone, such as `Dentist edited`.
struct UndoneWords: Sendable {
  private static let participles = [
    "add": "added", "edit": "edited", "check": "checked", "uncheck": "unchecked", "delete": "deleted",
    "snooze": "snoozed", "move": "moved", "list create": "created", "list edit": "edited", "list rename": "renamed",
    "list delete": "deleted", "list clear": "deleted", "import": "imported",
  ]

  /// The kind of the thing, if a name alone does not say it.
  let kind: String
  /// The name of the thing, which somebody typed; `nil` if there are several, or none that the visitor may see.
  let name: String?
  let participle: String

  /// The name of a change by this visitor; `nil` if the change has nothing to name.
  init?(_ change: RecordedChange, _ sight: Sight) {
    participle = Self.participles[change.command] ?? "changed"
    let isOfLists = change.command.hasPrefix("list ") && !change.lists.isEmpty
    let subjects = isOfLists ? change.lists : change.items
    guard let first = subjects.first else { return nil }
    guard subjects.count == 1 else {
      (kind, name) = (counted(subjects.count, isOfLists ? "list" : "item"), nil)
      return
    }
    let present = isOfLists ? try? sight.list(first.id).name : try? sight.item(first.id).item.text
    name = present ?? first.name
    kind = isOfLists ? "the list" : name == nil ? "an item" : ""
  }
}
