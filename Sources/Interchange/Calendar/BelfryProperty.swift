import BelfryCore

/// The properties in which a calendar holds what iCalendar has no word for (RFC 5545, section 3.8.8.2), so that what
/// Belfry writes it reads back whole. Other programs keep them or pass over them.
enum BelfryProperty {
  /// The item's number.
  static let id = "X-BELFRY-ID"
  /// How often it rings again, as a DURATION.
  static let nag = "X-BELFRY-NAG"
  /// The category, as TEXT.
  static let category = "X-BELFRY-CATEGORY"
  /// `DONE` where the next occurrence counts from the moment of checking.
  static let repeatFrom = "X-BELFRY-REPEAT-FROM"
  /// The rule as Belfry has it, where RRULE has to say it otherwise. Its parameters are the anchor, ``start``, and what
  /// RRULE and DUE were then, ``ofRule`` and ``ofDue``: once another program has changed either, it counts for nothing.
  static let repeatRule = "X-BELFRY-REPEAT"
  /// The anchor of a rule: a local time such as `20261121T0900`.
  static let start = "X-BELFRY-START"
  /// The RRULE that a rule was written beside.
  static let ofRule = "X-BELFRY-RRULE"
  /// The due date that a rule was written beside, in the form of ``start``.
  static let ofDue = "X-BELFRY-DUE"
  /// The lead times, as DURATIONs, where no VALARM may stand for them.
  static let alerts = "X-BELFRY-ALERTS"
  /// `TRUE` where an item is to remind that has no due date.
  static let shouldRemind = "X-BELFRY-SHOULD-REMIND"
  /// `UTC` where DUE is in UTC since the item's zone is, not only its time.
  static let timeZone = "X-BELFRY-TIME-ZONE"
  /// When a repeating item, unchecked, was last checked.
  static let checkedAt = "X-BELFRY-CHECKED-AT"
  /// When the occurrence was due that was checked last: a local time, with the anchor of that time in ``start``.
  static let lastChecked = "X-BELFRY-LAST-CHECKED"
  /// One of the item's kept properties that cannot stand as a line of its own, as TEXT.
  static let property = "X-BELFRY-PROPERTY"
  /// The time of day, such as `0900`, at which an item is due whose DUE is a date alone. It is kept among the item's
  /// properties, and DUE is written as a date again while the time stays.
  static let dateOnly = Item.dateOnlyProperty
  /// A list's own reminder: a time as DUE has it.
  static let listDue = "X-BELFRY-LIST-DUE"
  /// The rule of a list's own reminder, with its parameter ``start``.
  static let listRepeat = "X-BELFRY-LIST-REPEAT"
  /// Until when a list's own reminder was put off, in UTC.
  static let listSnooze = "X-BELFRY-LIST-SNOOZE"
  /// What a list's own reminder says, as TEXT.
  static let listMessage = "X-BELFRY-LIST-MESSAGE"
  /// The category of a list's own reminder, as TEXT.
  static let listCategory = "X-BELFRY-LIST-CATEGORY"

  /// Those of an item that are never kept among its properties.
  static let ofItems: Set = [
    id, nag, category, repeatFrom, repeatRule, alerts, shouldRemind, timeZone, checkedAt, lastChecked, property,
  ]
}
