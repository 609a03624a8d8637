import BelfryModel
import CivilTime
import FoundationEssentials

/// The item or list of a reminder, as it is at the claim.
public enum ReminderSubject: Hashable, Sendable {
  case item(ItemListing)
  /// A list with its unchecked items.
  case list(Checklist, unchecked: [ItemListing])

  /// The name of the list.
  public var listName: String {
    switch self {
    case .item(let listing): listing.listName
    case .list(let list, _): list.name
    }
  }

  /// The category, which selects the alert style and the actions.
  public var category: String? {
    switch self {
    case .item(let listing): listing.item.category
    case .list(let list, _): list.reminder?.category
    }
  }

  /// The item's text, or the message of the list's own reminder.
  var text: String {
    switch self {
    case .item(let listing): listing.item.text
    case .list(let list, _): list.reminder?.message ?? list.name
    }
  }

  /// The priority of the item; `nil` for a list.
  var priority: ItemPriority? {
    switch self {
    case .item(let listing): listing.item.priority
    case .list: nil
    }
  }

  /// The zone in which the wall time is read.
  public var zone: ItemZone {
    switch self {
    case .item(let listing): listing.item.zone
    case .list(let list, _): list.reminder?.zone ?? .floating
    }
  }
}

extension ReminderContent {
  /// The content of a reminder at the claim.
  ///
  /// - Parameter badge: the number of unchecked items that are overdue.
  public init(
    reminder: Reminder, subject: ReminderSubject, settings: Settings, badge: Int, planner: Planner, now: Date
  ) {
    var offers = Offers(settings)
    self.init(
      reminder: reminder, subject: subject,
      actions: offers.actions(for: reminder.occurrence.owner, category: subject.category), settings: settings,
      badge: badge, planner: planner, now: now)
  }

  // The content with actions that are encoded already, and with the urgency of a step of an escalation if that has one.
  init(
    reminder: Reminder, subject: ReminderSubject, actions: OfferedActions, settings: Settings, badge: Int,
    escalation: EscalationNote? = nil, urgency: Urgency? = nil, planner: Planner, now: Date
  ) {
    let zone = planner.displayZone(subject.zone)
    let style = settings.alert(
      forList: subject.listName, category: subject.category, priority: subject.priority)
    self.init(
      reminderID: reminder.id, fireDate: OffsetInstant(reminder.fireDate.date, in: zone),
      alert: ReminderAlert(
        title: subject.listName, body: subject.text, action: style.action, sound: style.sound, badge: badge,
        urgency: urgency ?? style.urgency),
      subject: Subject(subject, zone: zone, now: now), category: subject.category,
      actions: actions,
      timeZone: zone.identifier, escalation: escalation)
  }
}

extension ReminderContent.Subject {
  fileprivate init(_ subject: ReminderSubject, zone: Zone, now: Date) {
    func snapshot(_ listing: ItemListing) -> ItemSnapshot {
      ItemSnapshot(listing.item, list: listing.listName, nextFireDate: listing.nextFireDate, zone: zone, now: now)
    }
    self =
      switch subject {
      case .item(let listing): .item(snapshot(listing))
      case .list(let list, let unchecked):
        .list(ListSnapshot(id: list.id, name: list.name, unchecked: unchecked.map(snapshot)))
      }
  }
}
