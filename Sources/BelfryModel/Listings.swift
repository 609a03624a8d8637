import CivilTime
import FoundationEssentials

/// An item with its list's name and next reminder.
public struct ItemListing: Hashable, Sendable {
  /// The item as stored.
  public var item: Item
  /// The name of its list.
  public var listName: String
  /// The fire date of its next scheduled reminder.
  public var nextFireDate: FireDate?

  /// A listing with all its fields.
  public init(item: Item, listName: String, nextFireDate: FireDate?) {
    self.item = item
    self.listName = listName
    self.nextFireDate = nextFireDate
  }
}

/// A list with counts of its items.
public struct ListSummary: Hashable, Sendable {
  /// The list as stored.
  public var list: Checklist
  /// Items of the list, checked ones too.
  public var items: Int
  /// The number of unchecked items.
  public var remaining: Int
  /// The number of overdue items.
  public var overdue: Int
  /// The fire date of the next reminder of the list or its items.
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

/// A scheduled reminder with the text and list of its owner.
public struct PendingReminder: Hashable, Sendable {
  /// The reminder as stored.
  public var reminder: Reminder
  /// The name of its list.
  public var listName: String
  /// The category of its item or list reminder.
  public var category: String?
  /// The item's text, or the list's message or name.
  public var text: String
  /// The zone of its item or list reminder.
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
