import FoundationEssentials

/// Limits log entries about items that are set aside: one for each problem, repeated after an hour.
struct SetAsideNews {
  private static let interval: TimeInterval = 3_600
  private static let limit = 20

  private var reported: [SetAside: Date] = [:]

  /// The events to log for one tick.
  mutating func events(of found: [SetAside], at now: Date) -> [Event] {
    // Entries in the future, after the clock was set back, must not suppress events.
    reported = reported.filter { now >= $1 && now < $1 + Self.interval }
    // A fault without an owner is left out if the same fault is reported with one.
    let named = found.filter { $0.owner != nil }
    let reasons = Set(named.map(\.reason))
    let all = named + found.filter { $0.owner == nil && !reasons.contains($0.reason) }
    let new = all.uniqued().filter { reported.updateValue(reported[$0] ?? now, forKey: $0) == nil }
    var events = new.prefix(Self.limit).map { Event(.error, "\($0); \($0.advice)") }
    if new.count > Self.limit {
      events.append(Event(.error, "\(new.count - Self.limit) more are skipped: 'belfry doctor' names them"))
    }
    return events
  }
}
