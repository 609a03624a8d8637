import CivilTime
import FoundationEssentials

/// An item with what a listing shows beside it.
public struct ItemListing: Hashable, Sendable {
  /// The item.
  public var item: Item
  /// The name of its list.
  public var listName: String
  /// Its next scheduled reminder.
  public var nextFireDate: FireDate?

  /// A listing with all its fields.
  public init(item: Item, listName: String, nextFireDate: FireDate?) {
    self.item = item
    self.listName = listName
    self.nextFireDate = nextFireDate
  }
}

/// A list with its counts.
public struct ListSummary: Hashable, Sendable {
  /// The list.
  public var list: Checklist
  /// How many items are on it.
  public var items: Int
  /// How many of them are unchecked.
  public var remaining: Int
  /// How many of those are overdue.
  public var overdue: Int
  /// The next reminder of the list or of an item on it.
  public var nextFireDate: FireDate?

  /// A summary with all its fields.
  public init(list: Checklist, items: Int, remaining: Int, overdue: Int, nextFireDate: FireDate?) {
    self.list = list
    self.items = items
    self.remaining = remaining
    self.overdue = overdue
    self.nextFireDate = nextFireDate
  }
}

/// A scheduled reminder with what a listing shows beside it.
public struct PendingReminder: Hashable, Sendable {
  /// The reminder.
  public var reminder: Reminder
  /// The name of its list.
  public var listName: String
  /// The category of its item or list reminder.
  public var category: String?
  /// The item's text, or the list's message or name.
  public var text: String
  /// The zone whose clock it follows.
  public var zone: ItemZone

  /// A pending reminder with all its fields.
  public init(reminder: Reminder, listName: String, category: String?, text: String, zone: ItemZone) {
    self.reminder = reminder
    self.listName = listName
    self.category = category
    self.text = text
    self.zone = zone
  }
}
