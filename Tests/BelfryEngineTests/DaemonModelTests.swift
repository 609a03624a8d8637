import DaemonModels
import Foundation
import Testing

/// Every order in which three daemons can share one sink, on a model of leases, claims, begins, records and answers: one
/// gives its part up, stalls or dies at any moment, and somebody answers.
///
/// Each rule of the model is left out once, and then the search must find the fault that the rule prevents.
@Suite struct DaemonModelTests {
  /// What a search is limited to. Deliveries begin in their order, and the first is answered.
  struct Limits: CustomTestStringConvertible {
    let bounds: ModelSearch.Bounds
    let leastStates: Int
    let testDescription: String

    static let crash = Limits(bounds: .init(deliveries: 3, crashes: 1), leastStates: 26_000, testDescription: "a crash")
    static let stall = Limits(bounds: .init(deliveries: 3, pauses: 1), leastStates: 280_000, testDescription: "a stall")
    static let both = Limits(
      bounds: .init(deliveries: 2, crashes: 1, pauses: 1), leastStates: 360_000, testDescription: "a crash and a stall")
    /// A minute's search.
    static let deep = [
      Limits(
        bounds: .init(deliveries: 3, crashes: 1, pauses: 1, moves: 0), leastStates: 430_000,
        testDescription: "a crash and a stall, three deliveries, no hand-over"),
      Limits(
        bounds: .init(deliveries: 3, slots: 2, pauses: 1), leastStates: 2_000_000,
        testDescription: "a stall, two slots"),
      Limits(
        bounds: .init(deliveries: 2, pauses: 2, moves: 0), leastStates: 320_000, testDescription: "two stalls"),
    ]
  }

  private static let isDeep = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1"

  @Test("no order of steps breaks a promise", arguments: [.crash, .stall, .both] + (isDeep ? Limits.deep : []))
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
