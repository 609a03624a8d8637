import BelfryModel
import CivilTime

/// Belfry's own properties for fields that iCalendar does not have (RFC 5545, section 3.8.8.2), so that Belfry reads
/// everything back. Other programs keep or ignore them.
enum BelfryProperty {
  static let id = "X-BELFRY-ID"
  /// The interval at which it rings again, as a DURATION.
  static let nag = "X-BELFRY-NAG"
  /// The category, as TEXT.
  static let category = "X-BELFRY-CATEGORY"
  /// The identity that a program gave it, as TEXT.
  static let key = "X-BELFRY-KEY"
  /// `DONE` if the next occurrence counts from the moment of checking.
  static let repeatFrom = "X-BELFRY-REPEAT-FROM"
  /// Belfry's rule, if RRULE must differ from it. Its parameters are the anchor, ``start``, and the RRULE and DUE
  /// written with it, ``ofRule`` and ``ofDue``. Once another program has changed either, the property is ignored.
  static let repeatRule = "X-BELFRY-REPEAT"
  /// The anchor of a rule: a local time such as `20261121T0900`.
  static let start = "X-BELFRY-START"
  /// The RRULE written with a rule.
  static let ofRule = "X-BELFRY-RRULE"
  /// The due date written with a rule, in the form of ``start``.
  static let ofDue = "X-BELFRY-DUE"
  /// The lead times as DURATIONs, for an item that does not ring although its VALARMs or its DUE would.
  static let alerts = "X-BELFRY-ALERTS"
  /// `TRUE` for an item that should remind, but has no due date.
  static let shouldRemind = "X-BELFRY-SHOULD-REMIND"
  /// `UTC` if the item's zone is UTC, not only the form of DUE; ``floating`` if the item floats, and DUE is in the zone
  /// of the machine that wrote it.
  static let timeZone = "X-BELFRY-TIME-ZONE"
  static let floating = "FLOATING"
  /// The time at which an unchecked repeating item was last checked.
  static let checkedAt = "X-BELFRY-CHECKED-AT"
  /// The due date of the occurrence checked last: a local time, with its anchor in ``start``.
  static let lastChecked = "X-BELFRY-LAST-CHECKED"
  /// A kept property of the item that cannot be a line itself, as TEXT.
  static let property = "X-BELFRY-PROPERTY"
  /// The time of day, such as `0900`, of an item whose DUE is only a date. It is kept among the item's properties, and
  /// DUE is written as a date again as long as the item is due at that time.
  static let dateOnly = Item.dateOnlyProperty
  /// The time of a list's own reminder, in the form of DUE.
  static let listDue = "X-BELFRY-LIST-DUE"
  /// The rule of a list's own reminder, with its parameter ``start``.
  static let listRepeat = "X-BELFRY-LIST-REPEAT"
  /// The end of a snooze of a list's own reminder, in UTC.
  static let listSnooze = "X-BELFRY-LIST-SNOOZE"
  /// The message of a list's own reminder, as TEXT.
  static let listMessage = "X-BELFRY-LIST-MESSAGE"
  /// The category of a list's own reminder, as TEXT.
  static let listCategory = "X-BELFRY-LIST-CATEGORY"

  /// The line with ``dateOnly`` for a date that counts as this minute of its day.
  static func dateOnlyLine(minute: Int) -> String {
    "\(dateOnly):\((minute / 60 * 100 + minute % 60).padded(to: 4))"
  }

  /// The properties of an item that are never kept among its properties.
  static let ofItems: Set = [
    id, nag, category, key, repeatFrom, repeatRule, alerts, shouldRemind, timeZone, checkedAt, lastChecked, property,
  ]
}
