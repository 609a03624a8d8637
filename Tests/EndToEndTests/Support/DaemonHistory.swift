/// What several daemons of one store have done, as seen from outside, and a check of it.
struct DaemonHistory {
  /// A message that has arrived.
  struct Arrival {
    /// In seconds since 1970, as all times here.
    let time: Double
    let identity: String
    let item: Int
  }

  /// Something that was done to a daemon, or to all of them.
  struct Fault {
    enum Kind {
      case kill, stop, restart, cut
      /// A daemon could not renew its lease in time, although nothing was done to it.
      case stall
    }

    let kind: Kind
    let begin: Double
    /// The time at which a daemon that was stopped went on, or the server was there again.
    let end: Double
    /// The sinks that the daemon had.
    let sinks: Set<String>
  }

  /// The items whose reminders were due, with the sink that each goes to.
  var planned: [Int: String] = [:]
  var arrivals: [Arrival] = []
  /// The time of the commit of each answer.
  var answers: [Int: Double] = [:]
  var faults: [Fault] = []
  /// The terms of the leaders, in the order in which they were seen.
  var terms: [Int] = []
  /// The attempts of a sink that may be under way at once.
  var slots = 16

  /// One sentence for each broken promise.
  var findings: [String] { missing + identities + repeats + late + leaders }

  private var missing: [String] {
    let arrived = Set(arrivals.map(\.item))
    return planned.keys.filter { !arrived.contains($0) && answers[$0] == nil }.sorted()
      .map { "item \($0) has never arrived" }
  }

  private var identities: [String] {
    let byItem = Dictionary(grouping: arrivals, by: \.item)
    return byItem.filter { Set($0.value.map(\.identity)).count > 1 }.keys.sorted()
      .map { "item \($0) arrived under two identities" }
      + byItem.keys.filter { planned[$0] == nil }.map { "item \($0) was never planned" }
  }

  // A fault explains a repeat if the first copy had gone out before its end, and twice the slots of a sink.
  private var repeats: [String] {
    var found: [String] = []
    var counts: [Int: [String: Int]] = [:]
    for (_, copies) in Dictionary(grouping: arrivals, by: \.identity) where copies.count > 1 {
      let times = copies.map(\.time).sorted()
      let item = copies[0].item
      let sink = planned[item] ?? ""
      for (first, second) in zip(times, times.dropFirst()) {
        let cause = faults.indices.first { index in
          let fault = faults[index]
          return fault.sinks.contains(sink) && first <= fault.end && second >= fault.begin
            && counts[index, default: [:]][sink, default: 0] < 2 * slots
        }
        guard let cause else {
          found.append("item \(item) arrived again at \(second) without a fault that explains it")
          continue
        }
        counts[cause, default: [:]][sink, default: 0] += 1
      }
    }
    return found
  }

  // A daemon that was stopped between its last check and the request goes on where it was.
  private var late: [String] {
    arrivals.filter { arrival in
      guard let answer = answers[arrival.item], arrival.time > answer + 1 else { return false }
      let sink = planned[arrival.item] ?? ""
      return !faults.contains { fault in
        fault.kind == .stop && fault.sinks.contains(sink) && answer >= fault.begin - 1
          && fault.end...(fault.end + 1) ~= arrival.time
      }
    }.map { "item \($0.item) arrived \($0.time - (answers[$0.item] ?? 0)) s after its answer" }
  }

  private var leaders: [String] {
    zip(terms, terms.dropFirst()).filter { $0 > $1 }.map { "term \($1) came after term \($0)" }
  }
}
