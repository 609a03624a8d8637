import FoundationEssentials

/// What the log was told of items that are set aside: each once, and again after an hour or when something else is wrong
/// with it.
struct SetAsideNews {
  private static let silence: TimeInterval = 3_600
  private static let limit = 20

  private var told: [SetAside: Date] = [:]

  /// What there is to tell of what one tick has set aside.
  mutating func events(of found: [SetAside], at now: Date) -> [Event] {
    // A clock that was set back must not keep it silent.
    told = told.filter { now >= $1 && now < $1 + Self.silence }
    // Known by its number, a record need not be told as one.
    let named = found.filter { $0.owner != nil }
    let reasons = Set(named.map(\.reason))
    let all = named + found.filter { $0.owner == nil && !reasons.contains($0.reason) }
    let news = all.uniqued().filter { told.updateValue(told[$0] ?? now, forKey: $0) == nil }
    var events = news.prefix(Self.limit).map { Event(.error, "\($0); \($0.advice)") }
    if news.count > Self.limit {
      events.append(Event(.error, "\(news.count - Self.limit) more are set aside: 'belfry doctor' names them"))
    }
    return events
  }
}
