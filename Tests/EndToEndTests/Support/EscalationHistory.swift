/// The record of escalations that ran while the daemon was killed: from the store and the receivers, and the kills.
struct EscalationHistory {
  /// A ring that an escalation has if nobody answers.
  struct PlannedRing: Hashable, CustomStringConvertible {
    let step: Int
    let ring: Int
    let sinks: [String]
    /// The least number of minutes from the ring before.
    let distance: Double

    var description: String { "\(step).\(ring)" }
  }

  /// A run of an escalation, its answer, and its rings in the store.
  struct Run {
    let text: String
    let course: [PlannedRing]
    /// The time by which an answer was in the store; `nil` if nobody answered.
    var answeredAt: Double?
    var rings: [Ring]
  }

  /// A ring in the store.
  struct Ring {
    let step: Int
    let ring: Int
    var state: String
    /// In seconds since 1970, on the clock of the daemon.
    var fireDate: Double
    var deliveries: [Delivery]
  }

  /// A delivery in the store.
  struct Delivery {
    let sink: String
    let identity: String
    var state: String
    /// The outcomes of its recorded attempts.
    var outcomes: [String]
  }

  /// The sink that refuses everything for good.
  static let deadSink = "gone"
  /// The sink that cannot update its copies, so that the store keeps no attempt which a kill cut off.
  static let silentSink = "mail"

  var runs: [Run]
  var arrivals: [ChaosRun.Arrival]
  /// The identities of messages that ring nothing.
  var others: Set<String> = []
  var kills: [Double]
  /// The time after an answer by which the daemon has heard of it, and that for an attempt to arrive, in seconds.
  var patience: Double

  /// The faults: a step that is missing, repeated, too early or after the answer, and a repeat without an explanation.
  var faults: [String] {
    let seen = Dictionary(grouping: arrivals, by: \.identity)
    let known = Set(runs.flatMap(\.rings).flatMap(\.deliveries).map(\.identity)).union(others)
    let unknown = Set(seen.keys).subtracting(known).sorted().map { "\($0) arrived, and the store does not know it" }
    return unknown
      + runs.flatMap { run in run.faults.map { "\(run.text): \($0)" } + faults(of: run, seen) }
  }

  private func faults(of run: Run, _ seen: [String: [ChaosRun.Arrival]]) -> [String] {
    run.rings.flatMap { ring in
      ring.deliveries.flatMap { delivery in
        faults(of: delivery, seen[delivery.identity] ?? [], answeredAt: run.answeredAt).map {
          "\(run.text): step \(ring.step).\(ring.ring) at \(delivery.sink) \($0)"
        }
      }
    }
  }

  private func faults(of delivery: Delivery, _ seen: [ChaosRun.Arrival], answeredAt: Double?) -> [String] {
    var faults: [String] = []
    let expected = delivery.sink == Self.deadSink ? "dead" : "delivered"
    if delivery.state != expected, delivery.state != "discarded" || answeredAt == nil {
      faults.append("is \(delivery.state)")
    }
    if delivery.state == "delivered", !seen.contains(where: { $0.result == "taken" }) {
      faults.append("was recorded, and nobody said yes")
    }
    let tellsAnswer = delivery.sink != Self.silentSink
    if tellsAnswer, !seen.isEmpty, delivery.outcomes.isEmpty { faults.append("arrived, and has no attempt") }
    for (earlier, later) in zip(seen, seen.dropFirst()) where earlier.result == "taken" {
      // The receiver may take a message shortly after the daemon was killed.
      let isKilled = kills.contains { $0 > earlier.time - 1 && $0 < later.time }
      if !isKilled { faults.append("was repeated, and no kill explains it") }
      if tellsAnswer, !delivery.outcomes.contains("unknown") { faults.append("was repeated, and the store hides it") }
    }
    if let answeredAt, let last = seen.last, last.time > answeredAt + patience {
      faults.append("came \(last.time - answeredAt) s after the answer")
    }
    return faults
  }
}

extension EscalationHistory.Run {
  /// The faults of its rings in the store.
  fileprivate var faults: [String] {
    let made = rings.filter { $0.state == "fired" }.sorted { ($0.step, $0.ring) < ($1.step, $1.ring) }
    var faults = rings.filter { $0.state == "scheduled" }.map { "step \($0.step).\($0.ring) is still to come" }
    let expected = answeredAt == nil ? course : Array(course.prefix(max(1, made.count)))
    let places = made.map { "\($0.step).\($0.ring)" }
    if places != expected.map(\.description) { return faults + ["made are \(places) of \(expected)"] }
    for (planned, ring) in zip(expected, made) where ring.deliveries.map(\.sink).sorted() != planned.sinks.sorted() {
      faults.append("step \(planned) went to \(ring.deliveries.map(\.sink))")
    }
    for (earlier, (planned, later)) in zip(made, zip(expected, made).dropFirst())
    where later.fireDate < earlier.fireDate + planned.distance * 60 {
      faults.append("step \(planned) came \(later.fireDate - earlier.fireDate) s after the one before")
    }
    return faults
  }
}
