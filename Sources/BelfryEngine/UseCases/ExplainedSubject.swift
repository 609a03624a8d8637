import BelfryModel
import CivilTime
import FoundationEssentials

/// The item or list whose reminders are explained.
public enum ExplainedSubject: Sendable {
  case item(ItemListing)
  /// A list with its own reminder, if it has one.
  case list(ListSummary)

  /// The owner of the reminders.
  public var owner: ReminderOwner {
    switch self {
    case .item(let listing): .item(listing.item.id)
    case .list(let summary): .list(summary.list.id)
    }
  }

  /// The zone of the reminders.
  public var zone: ItemZone {
    switch self {
    case .item(let listing): listing.item.zone
    case .list(let summary): summary.list.reminder?.zone ?? .floating
    }
  }

  /// The item's text, or the list's message or name.
  public var text: String {
    switch self {
    case .item(let listing): listing.item.text
    case .list(let summary): summary.list.reminder?.message ?? summary.list.name
    }
  }

  var uuid: UUID {
    switch self {
    case .item(let listing): listing.item.uuid
    case .list(let summary): summary.list.uuid
    }
  }

  var listName: String {
    switch self {
    case .item(let listing): listing.listName
    case .list(let summary): summary.list.name
    }
  }

  var category: String? {
    switch self {
    case .item(let listing): listing.item.category
    case .list(let summary): summary.list.reminder?.category
    }
  }

  var priority: ItemPriority? {
    switch self {
    case .item(let listing): listing.item.priority
    case .list: nil
    }
  }

  var nag: CalendarDuration? {
    switch self {
    case .item(let listing): listing.item.nag
    case .list: nil
    }
  }

  var due: DueDate? {
    switch self {
    case .item(let listing): listing.item.due
    case .list(let summary): summary.list.reminder?.due
    }
  }

  var recurrence: Recurrence? {
    switch self {
    case .item(let listing): listing.item.recurrence
    case .list(let summary): summary.list.reminder?.recurrence
    }
  }
}

extension Planner {
  /// The reminders that a subject asks for; `nil` if it asks for none.
  func plan(of subject: ExplainedSubject) -> OwnerPlan? {
    switch subject {
    case .item(let listing): plan(of: listing.item)
    case .list(let summary): plan(of: summary.list)
    }
  }
}
