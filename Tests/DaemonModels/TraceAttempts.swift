/// The attempts in a trace, and which of them each arrival and each outcome belongs to.
///
/// A receiver does not see which daemon has sent a message. An arrival lies between the begin and the record of its
/// attempt; where several are possible, it belongs to the one that was recorded first, since its record needs an
/// arrival before it.
struct TraceAttempts {
  private struct Attempt {
    let member: Int
    let term: Int
    let begin: Int
    /// The place of its record, or of its un-begin.
    var end = Int.max
    var isRecorded = false
    var hasArrived = false
  }

  /// The seconds after the end of a process within which its last requests arrive.
  static let travel = 2.0

  /// The member to whose attempt each arrival and each record belongs, by their places in the trace.
  private(set) var members: [Int: Int] = [:]
  private var attempts: [Attempt] = []
  /// The attempts of each delivery.
  private var numbers: [Int: [Int]] = [:]
  private var processes: [Int: Int] = [:]
  private var ends: [Int: Double] = [:]

  init(_ events: [TraceEvent]) {
    for event in events { if case .ended(let process) = event.kind { ends[process] = event.time } }
    for (place, event) in events.enumerated() {
      switch event.kind {
      case .joined(let member, let process): processes[member] = process
      case .begun(let delivery, let member, let term): begin(delivery, member, term, at: place)
      case .unbegun(let delivery): if let last = open(delivery).last { attempts[last].end = place }
      case .recorded(let delivery, _, let process):
        let own = open(delivery).filter { process == nil || processes[attempts[$0].member] == process }
        guard let last = own.last else { continue }
        (attempts[last].end, attempts[last].isRecorded) = (place, true)
        members[place] = attempts[last].member
      default: break
      }
    }
    for (place, event) in events.enumerated() {
      guard case .arrived(let delivery) = event.kind else { continue }
      let possible = numbers[delivery, default: []].filter { number in
        let attempt = attempts[number]
        return attempt.begin < place && place < attempt.end && !hasEnded(attempt.member, before: event.time)
      }
      // The last one that is possible tells best what is wrong with an arrival too many.
      let free = possible.filter { !attempts[$0].hasArrived }
      guard let number = free.min(by: { (attempts[$0].end, $1) < (attempts[$1].end, $0) }) ?? possible.last else {
        continue
      }
      attempts[number].hasArrived = true
      members[place] = attempts[number].member
    }
  }

  /// True if nothing that a member has sent or committed takes effect at this time or later.
  func hasEnded(_ member: Int, before time: Double) -> Bool {
    guard let process = processes[member], let end = ends[process] else { return false }
    return end + Self.travel < time
  }

  /// True if the process of a member ends about this time, or has ended.
  func ends(_ member: Int, at time: Double) -> Bool {
    guard let process = processes[member], let end = ends[process] else { return false }
    return end < time + Self.travel
  }

  /// True if a member sends a delivery under this term, or records that it has tried to.
  func isMade(_ delivery: Int, by member: Int, under term: Int) -> Bool {
    numbers[delivery, default: []].map { attempts[$0] }.contains {
      $0.member == member && $0.term == term && ($0.hasArrived || $0.isRecorded)
    }
  }

  private func open(_ delivery: Int) -> [Int] { numbers[delivery, default: []].filter { attempts[$0].end == .max } }

  // A daemon that could not start in time begins the same attempt again.
  private mutating func begin(_ delivery: Int, _ member: Int, _ term: Int, at place: Int) {
    let isAgain = open(delivery).contains { attempts[$0].member == member && attempts[$0].term == term }
    guard !isAgain else { return }
    numbers[delivery, default: []].append(attempts.count)
    attempts.append(Attempt(member: member, term: term, begin: place))
  }
}
