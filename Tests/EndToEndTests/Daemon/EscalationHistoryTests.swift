import Testing

@Suite("The checker of escalations on a bad day")
struct EscalationHistoryTests {
  typealias Arrival = ChaosRun.Arrival

  /// An escalation of two steps that rang to its end, and one that was answered after its first step; one step was
  /// repeated because of a kill.
  private var history: EscalationHistory {
    let course = [
      EscalationHistory.PlannedRing(step: 1, ring: 1, sinks: ["hook"], distance: 0),
      EscalationHistory.PlannedRing(step: 2, ring: 1, sinks: ["hook", "mail"], distance: 1),
    ]
    func ring(_ step: Int, _ sinks: [String], _ name: String) -> EscalationHistory.Ring {
      EscalationHistory.Ring(
        step: step, ring: 1, state: "fired", fireDate: Double(step) * 60,
        deliveries: sinks.map {
          EscalationHistory.Delivery(
            sink: $0, identity: "\(name)\(step) \($0)", state: "delivered", outcomes: ["delivered"])
        })
    }
    var unanswered = EscalationHistory.Run(
      text: "a", course: course, rings: [ring(1, ["hook"], "a"), ring(2, ["hook", "mail"], "a")])
    unanswered.rings[0].deliveries[0].outcomes = ["unknown", "delivered"]
    let answered = EscalationHistory.Run(text: "b", course: course, answeredAt: 63, rings: [ring(1, ["hook"], "b")])
    return EscalationHistory(
      runs: [unanswered, answered],
      arrivals: [
        Arrival(sink: "hook", identity: "a1 hook", time: 60, result: "taken"),
        Arrival(sink: "hook", identity: "a1 hook", time: 62, result: "taken"),
        Arrival(sink: "hook", identity: "b1 hook", time: 62, result: "taken"),
        Arrival(sink: "hook", identity: "a2 hook", time: 120, result: "taken"),
        Arrival(sink: "mail", identity: "a2 mail", time: 120, result: "refused"),
        Arrival(sink: "mail", identity: "a2 mail", time: 125, result: "taken"),
        Arrival(sink: "hook", identity: "answered", time: 126, result: "taken"),
      ], others: ["answered"], kills: [61], patience: 1)
  }

  @Test("what a kill, a refusal and an answer explain is no fault")
  func explained() { #expect(history.faults == []) }

  /// A fault planted into the history, and what the checker reports.
  struct Plant: CustomStringConvertible, Sendable {
    let description: String
    let change: @Sendable (inout EscalationHistory) -> Void

    static let all = [
      Plant(description: "b: step 1.1 at hook came 4.0 s after the answer") {
        $0.runs[1].answeredAt = 58
      },
      Plant(description: "a: made are [\"1.1\"] of [1.1, 2.1]") { $0.runs[0].rings[1].state = "cancelled" },
      Plant(description: "a: made are [\"1.1\", \"1.1\", \"2.1\"] of [1.1, 2.1]") {
        $0.runs[0].rings.append($0.runs[0].rings[0])
      },
      Plant(description: "b: made are [\"1.1\", \"1.1\"] of [1.1, 2.1]") {
        $0.runs[1].rings.append($0.runs[1].rings[0])
      },
      Plant(description: "b: made are [] of [1.1]") { $0.runs[1].rings[0].state = "cancelled" },
      Plant(description: "b: step 2.1 is still to come") {
        var ring = $0.runs[0].rings[1]
        ring.state = "scheduled"
        ring.deliveries = []
        $0.runs[1].rings.append(ring)
      },
      Plant(description: "a: step 2.1 went to [\"hook\"]") {
        $0.runs[0].rings[1].deliveries.removeLast()
        $0.others.insert("a2 mail")
      },
      Plant(description: "a: step 2.1 came 0.0 s after the one before") { $0.runs[0].rings[1].fireDate = 60 },
      Plant(description: "a: step 2.1 at hook is discarded") {
        $0.runs[0].rings[1].deliveries[0].state = "discarded"
      },
      Plant(description: "a: step 2.1 at mail was recorded, and nobody said yes") { $0.arrivals.remove(at: 5) },
      Plant(description: "b: step 1.1 at hook arrived, and has no attempt") {
        $0.runs[1].rings[0].deliveries[0].outcomes = []
      },
      Plant(description: "a: step 1.1 at hook was repeated, and no kill explains it") { $0.kills = [] },
      Plant(description: "a: step 1.1 at hook was repeated, and the store hides it") {
        $0.runs[0].rings[0].deliveries[0].outcomes = ["delivered"]
      },
      Plant(description: "answered arrived, and the store does not know it") { $0.others = [] },
    ]
  }

  @Test("finds each fault that is planted, and nothing else", arguments: Plant.all)
  func planted(_ plant: Plant) {
    var history = history
    plant.change(&history)
    #expect(history.faults == [plant.description])
  }
}
