import BelfryModel

/// Logs once that deliveries begin too late, and once that they begin in time again.
struct LateBegins {
  private let location: String
  private let log: EventLog
  private var areLate = false

  init(at location: String, log: @escaping EventLog) { (self.location, self.log) = (location, log) }

  /// Notes the time that beginning deliveries took.
  ///
  /// - Parameter isFirst: true for a delivery's first start, false for a repeated one. Only a first start that is in
  ///   time shows that the store is fast enough again: a repeated start costs less.
  mutating func note(seconds: Double, isFirst: Bool) {
    let isLate = seconds >= Deliverer.mustStartWithin
    guard isLate != areLate, isLate || isFirst else { return }
    areLate = isLate
    let limit = Deliverer.mustStartWithin
    guard isLate else { return log(Event(.info, "\(location): deliveries begin within \(limit) s again")) }
    let tenths = (seconds * 10).rounded() / 10
    log(
      Event(
        .warning,
        "\(location): the store took \(tenths) s to begin a delivery, more than \(limit) s; until it is faster, messages "
          + "are sent late, since each must first be checked for an answer"))
  }
}
