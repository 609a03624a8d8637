import DaemonModels
import Testing

/// Every order in which three daemons can share one sink, on a model of leases, claims, begins, records and answers: one
/// gives its part up, stalls or dies at any moment, and somebody answers.
///
/// Each rule of the model is left out once, and then the search must find the fault that the rule prevents.
@Suite struct DaemonModelTests {
  /// What a search is limited to. Deliveries begin in their order, and one of them is answered.
  enum Limits: CaseIterable {
    case crash, stall, crashAndStall

    var bounds: ModelSearch.Bounds {
      var bounds = ModelSearch.Bounds()
      (bounds.daemons, bounds.deliveries) = (3, self == .crashAndStall ? 2 : 3)
      (bounds.slots, bounds.answers, bounds.moves) = (1, 1, 1)
      (bounds.crashes, bounds.pauses) = (self == .stall ? 0 : 1, self == .crash ? 0 : 1)
      return bounds
    }

    var leastStates: Int {
      switch self {
      case .crash: 25_000
      case .stall: 250_000
      case .crashAndStall: 350_000
      }
    }
  }

  @Test("no order of steps breaks a promise", arguments: Limits.allCases)
  func everyOrder(limits: Limits) {
    let found = ModelSearch(limits.bounds).run()
    #expect(found.broken == nil, "\(found)")
    #expect(found.states > limits.leastStates, "only \(found.states) states were reached")
  }

  @Test("each rule is needed", arguments: DaemonModel.Rule.allCases)
  func needed(rule: DaemonModel.Rule) {
    let found = [Limits.crash, .stall].lazy.map { ModelSearch($0.bounds, without: rule).run().broken }
    #expect(found.contains { $0 != nil })
  }
}
