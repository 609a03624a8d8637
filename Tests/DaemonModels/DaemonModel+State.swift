extension DaemonModel {
  /// The store, and what the daemons have in memory.
  package struct State: Sendable {
    package struct Attempt: Hashable, Sendable {
      package enum Stage: UInt8, Sendable {
        case begun
        /// As ``begun``; the daemon was stopped after its last look at the time.
        case held
        case sent, ended
      }

      package let delivery: Int
      package let term: Int
      package var stage: Stage
      /// True if its slot is none of those that are open now.
      package var isRetired = false
    }

    package struct Daemon: Sendable {
      package var isAlive = true
      package var isPaused = false
      package var isMember = false
      /// True while it believes that it leads.
      package var leads = false
      /// The sinks that it believes it has.
      package var sinks: Set<Int> = []
      package var attempts: [Attempt] = []

      var canAct: Bool { isAlive && !isPaused }

      func index(of delivery: Int) -> Int? { attempts.firstIndex { $0.delivery == delivery } }
    }

    /// A row whose holder changes under growing terms.
    package struct Lease: Sendable {
      package var holder: Int?
      package var term = 0
    }

    package struct Delivery: Sendable {
      package enum Row: UInt8, Sendable {
        case scheduled, pending, delivered, discarded
      }

      package enum Answer: UInt8, Sendable {
        case none, fresh
        /// Given more than a second ago.
        case over
      }

      package let sink: Int
      package var row = Row.scheduled
      package var answer = Answer.none
      package var begunTerm: Int?
      package var arrivals = 0

      package init(sink: Int) { self.sink = sink }
    }

    package var daemons: [Daemon] = []
    package var deliveries: [Delivery] = []
    package var leader = Lease()
    package var leases: [Lease]
    /// The arrivals of each sink beyond the first of each delivery.
    package var repeats: [Int]
    package var crashes = 0
    package var pauses = 0
    /// The number of sinks that were given up in order.
    package var moves = 0
    package var broken: Promise?

    package init(sinks: Int) {
      leases = Array(repeating: Lease(), count: sinks)
      repeats = Array(repeating: 0, count: sinks)
    }

    var faults: Int { crashes + pauses }

    func isGone(_ holder: Int?) -> Bool { holder.map { !daemons[$0].isMember } ?? true }

    func has(_ daemon: Int, _ sink: Int) -> Bool { leases[sink].holder == daemon }
  }
}
