import Testing

/// The check of what several daemons have done: it finds each broken promise.
@Suite("The history of several daemons") struct DaemonHistoryTests {
  private typealias History = DaemonHistory

  /// Two items each for two sinks; the holder of `a` was killed at 10, and that of `b` stopped from 20 to 30.
  private var sound: History {
    var history = History()
    history.planned = [1: "a", 2: "a", 3: "b", 4: "b"]
    history.arrivals = [
      History.Arrival(time: 9.9, identity: "one", item: 1), History.Arrival(time: 17, identity: "one", item: 1),
      History.Arrival(time: 19, identity: "three", item: 3), History.Arrival(time: 30.5, identity: "four", item: 4),
    ]
    history.answers = [2: 5, 4: 21]
    history.faults = [
      History.Fault(kind: .kill, begin: 10, end: 10, sinks: ["a"]),
      History.Fault(kind: .stop, begin: 20, end: 30, sinks: ["b"]),
    ]
    (history.terms, history.slots) = ([1, 1, 2], 1)
    return history
  }

  private func findings(_ change: (inout History) -> Void) -> [String] {
    var history = sound
    change(&history)
    return history.findings
  }

  @Test("nothing is found where faults explain everything")
  func nothing() { #expect(sound.findings.isEmpty, "\(sound.findings)") }

  @Test("a reminder that got lost")
  func lost() { #expect(findings { $0.answers[2] = nil } == ["item 2 has never arrived"]) }

  @Test("a repeat without a fault, by a fault of another sink, and of something that began after the fault")
  func repeated() {
    for faults in [[], [sound.faults[1]], [History.Fault(kind: .kill, begin: 2, end: 2, sinks: ["a"])]] {
      #expect(findings { $0.faults = faults }.contains { $0.hasPrefix("item 1 arrived again at 17.0 without") })
    }
  }

  @Test("more repeats than a fault explains")
  func tooMany() {
    let found = findings { history in
      for number in 10...12 {
        history.planned[number] = "a"
        for time in [9.5, 18] {
          history.arrivals.append(History.Arrival(time: time, identity: "\(number)", item: number))
        }
      }
    }
    #expect(found.count == 2, "\(found)")
  }

  @Test("an attempt that began too long after an answer, as without a check of the row or of the lease")
  func late() {
    #expect(findings { $0.answers[3] = 17.5 } == ["item 3 arrived 1.5 s after its answer"])
    #expect(findings { $0.answers[4] = 15 }.count == 1)
  }

  @Test("a term that goes back, as by a lease that two clocks judge")
  func terms() { #expect(findings { $0.terms = [1, 2, 1] } == ["term 1 came after term 2"]) }

  @Test("a reminder that was claimed twice, as by two leaders")
  func claimedTwice() {
    let found = findings { $0.arrivals.append(History.Arrival(time: 40, identity: "other", item: 3)) }
    #expect(found == ["item 3 arrived under two identities"])
  }
}
