import DaemonModels
import Foundation
import Testing

extension ManyDaemonsRun {
  /// What has happened.
  var history: DaemonHistory {
    get throws {
      var history = DaemonHistory()
      (history.faults, history.terms, history.slots) = (faults + (try stalls), terms, Self.slots)
      let share = setup.items / Self.sinks
      for item in 1...setup.items { history.planned[item] = "hook\((item - 1) / share)" }
      history.arrivals = try box.lines("collected").map { line in
        let words = line.split(separator: " ")
        return DaemonHistory.Arrival(
          time: try #require(Double(words[0])), identity: String(words[1]), item: try #require(Int(words[2])))
      }
      let checked = """
        SELECT id, extract(epoch FROM pg_xact_commit_timestamp(xmin)) FROM belfry.item WHERE is_checked
        """
      for line in try query(checked).split(separator: "\n") {
        let words = line.split(separator: "|")
        let time: Double = try #require(Double(words[1]))
        history.answers[try #require(Int(words[0]))] = time
      }
      return history
    }
  }

  /// What has happened, in the order in which it took effect.
  var trace: DaemonTrace {
    get throws {
      try DaemonTrace(
        noted: query(DaemonTrace.query), collected: box.lines("collected") + box.lines("collected-updates"),
        faults: signals)
    }
  }

  /// The first event that the model refuses; `nil` if it permits all.
  var refusal: TraceReplay.Finding? { get throws { TraceReplay.finding(in: try trace.events, slots: Self.slots) } }

  /// Has the server note each lease that is over by its own clock when another daemon takes its place.
  func noteStalls() throws {
    _ = try query(
      """
      CREATE TABLE public.lapse (over float8, taken float8, sinks text);
      CREATE FUNCTION public.note_lapse() RETURNS trigger LANGUAGE plpgsql AS '
        BEGIN
          IF OLD.until < clock_timestamp() THEN
            INSERT INTO public.lapse SELECT extract(epoch FROM OLD.until), extract(epoch FROM clock_timestamp()),
              string_agg(sink, '','') FROM belfry.sink_lease WHERE member = OLD.id;
          END IF;
          RETURN NULL;
        END';
      CREATE TRIGGER note_lapse AFTER DELETE ON belfry.member FOR EACH ROW EXECUTE FUNCTION public.note_lapse()
      """)
  }

  // The leases that were over without a fault that explains it. What their daemons sent was sent a lease before, or is
  // until they notice.
  private var stalls: [DaemonHistory.Fault] {
    get throws {
      let lease = setup.lease ?? 7
      let lapses = try query("SELECT over, taken, sinks FROM public.lapse WHERE sinks IS NOT NULL").split(
        separator: "\n")
      return try lapses.compactMap { line in
        let words = line.split(separator: "|")
        let (over, taken) = (try #require(Double(words[0])), try #require(Double(words[1])))
        let sinks = Set(words[2].split(separator: ",").map(String.init))
        let isExplained = faults.contains { fault in
          fault.begin <= taken && over <= fault.end + 2 * lease && !fault.sinks.isDisjoint(with: sinks)
        }
        return isExplained
          ? nil : DaemonHistory.Fault(kind: .stall, begin: over - lease, end: taken + lease, sinks: sinks)
      }
    }
  }

  /// What has happened, in numbers.
  var tally: FaultTally {
    get throws {
      let history = try history
      let late = history.arrivals.compactMap { arrival in history.answers[arrival.item].map { arrival.time - $0 } }
      return FaultTally(
        faults: performed, stalls: try stalls.count, arrivals: history.arrivals.count,
        repeats: history.arrivals.count - Set(history.arrivals.map(\.identity)).count,
        findings: history.findings.count, slowestTakeover: takeovers.max() ?? 0,
        latestAfterAnswer: late.max() ?? -.infinity)
    }
  }
}

/// What has happened in several runs, in numbers.
struct FaultTally: CustomStringConvertible {
  var faults = 0
  var stalls = 0
  var arrivals = 0
  /// How often something arrived again.
  var repeats = 0
  /// The broken promises, repeats that no fault explains among them.
  var findings = 0
  /// In seconds.
  var slowestTakeover = 0.0
  /// The longest time from an answer to an arrival in seconds; at most 0 if nothing arrived after its answer.
  var latestAfterAnswer = -Double.infinity

  static func += (sum: inout FaultTally, other: FaultTally) {
    sum.faults += other.faults
    sum.stalls += other.stalls
    sum.arrivals += other.arrivals
    sum.repeats += other.repeats
    sum.findings += other.findings
    sum.slowestTakeover = max(sum.slowestTakeover, other.slowestTakeover)
    sum.latestAfterAnswer = max(sum.latestAfterAnswer, other.latestAfterAnswer)
  }

  var description: String {
    """
    \(faults) faults, \(stalls) stalls, \(arrivals) arrivals, \(repeats) of them repeats, \(findings) broken promises, another leader after \
    at most \(slowestTakeover) s, an arrival at most \(latestAfterAnswer) s after its answer
    """
  }
}
