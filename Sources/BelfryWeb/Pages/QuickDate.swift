import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// A date that is set by one press.
enum QuickDate: String, CaseIterable {
  case tonight, tomorrow, weekend
  case nextWeek = "next-week"

  /// Its name on a button.
  var words: StaticString {
    switch self {
    case .tonight: "Tonight"
    case .tomorrow: "Tomorrow"
    case .weekend: "Weekend"
    case .nextWeek: "Next week"
    }
  }

  private static let evening = TimeOfDay(minutesSinceMidnight: 20 * 60)

  /// The dates that have a button; "tonight" only before the evening begins.
  static func offered(at now: WallTime) -> [QuickDate] { allCases.filter { $0 != .tonight || now.time < evening } }

  /// The date, at a time of day; tonight in the evening. The weekend and next week always begin after today.
  func time(after now: WallTime, at time: TimeOfDay) -> WallTime {
    let weekday = now.date.weekday.rawValue
    let (days, time) =
      switch self {
      case .tonight: (now.time < Self.evening ? 0 : 1, Self.evening)
      case .tomorrow: (1, time)
      case .weekend: (weekday < 6 ? 6 - weekday : 13 - weekday, time)
      case .nextWeek: (8 - weekday, time)
      }
    return WallTime(date: now.date.adding(days: days), time: time)
  }

  /// The edit that sets it, at the item's time of day. An item that had no date then rings, as a new one does.
  func edit(of item: Item, _ reading: Reading, _ settings: Settings) -> ItemEdit {
    var edit = ItemEdit()
    edit.due = .at(time(for: item, reading, settings))
    if item.due == nil { edit.shouldRemind = true }
    return edit
  }

  private func time(for item: Item, _ reading: Reading, _ settings: Settings) -> WallTime {
    let now = reading.displayZone(item.zone).wallTime(at: reading.now)
    return time(after: now, at: item.due?.local.time ?? settings.defaultTime)
  }

  /// The deed of giving it to items: some of them may have been due later.
  func deed(of items: [Item], _ reading: Reading, _ settings: Settings) -> Notice.Deed {
    let earlier = items.count { item in
      item.due.map { time(for: item, reading, settings) < $0.local } ?? false
    }
    return earlier == 0 ? .postponed : earlier == items.count ? .movedEarlier : .redated
  }
}
