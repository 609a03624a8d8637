import BelfryModel
import CivilTime
import FoundationEssentials

/// The next or last ring of a list's own reminder.
public enum ListBell: Hashable, Sendable {
  /// It rings at an instant, which may be past while no daemon runs.
  case scheduled(Date)
  /// Nothing on the list is open; it rings at an instant if anything is open then.
  case silent(Date)
  /// It rang at an instant, for the last time.
  case rang(Date)
  /// Its time passed without a ring.
  case passed(Date)

  /// The instant at which it rings next, or may; `nil` if it does not.
  public var next: Date? {
    switch self {
    case .scheduled(let date), .silent(let date): date
    case .rang, .passed: nil
    }
  }

  /// The words for the bell, after the name of the list or "it".
  ///
  /// - Parameter text: the text of an instant.
  public func words(now: Date, _ text: (Date) -> String) -> String {
    switch self {
    case .scheduled(let date) where date <= now: "was due to ring \(text(date)), and will as soon as belfryd runs"
    case .scheduled(let date): "rings \(text(date))"
    case .silent(let date): "rings \(text(date)) if anything is open then"
    case .rang(let date): "rang \(text(date))"
    case .passed(let date): "did not ring \(text(date))"
    }
  }
}

extension ListSummary {
  /// Words that say, after the name of the list or "it", when its new reminder rings, and whether it rings at all;
  /// `nil` for a list without a reminder.
  ///
  /// - Parameter next: its next ring; `nil` for none.
  package func ringWords(next: Date?, _ viewpoint: some Viewpoint) -> (words: String, doesRing: Bool)? {
    guard let reminder = list.reminder else { return nil }
    let moment = Moment(zone: viewpoint.displayZone(reminder.zone), now: viewpoint.now)
    let instant = next ?? reminder.due.instant.date
    guard instant > viewpoint.now else {
      return ("does not ring: \(moment.zone.readable(instant)) is already past", false)
    }
    let condition = remaining == 0 ? " if anything is open then; nothing is now" : ""
    return ("rings \(moment.full(instant))\(condition)", true)
  }
}

extension Reading {
  /// The next or last ring of a list's own reminder; `nil` if it has none.
  package func bell(of list: Checklist) throws -> ListBell? {
    guard let reminder = list.reminder, let plan = planner.plan(of: list) else { return nil }
    let scheduled = try view.reminders(of: plan.owner, at: nil, state: .scheduled)
    if let next = scheduled.map(\.fireDate.date).min() { return .scheduled(next) }
    let next = plan.series.next(after: plan.series.zone.wallTime(at: now))
    if let date = next.flatMap({ plan.series.fireDate($0, lead: .zero) })?.date { return .silent(date) }
    let fired = try view.reminders(of: plan.owner, at: nil, state: .fired)
    guard let last = fired.map(\.fireDate.date).max() else { return .passed(reminder.due.instant.date) }
    return .rang(last)
  }
}
