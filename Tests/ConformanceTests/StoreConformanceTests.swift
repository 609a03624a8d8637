import BelfryTestKit
import Testing

@Suite struct StoreConformanceTests {
  @Test("a store keeps what every store promises", arguments: StoreKind.allCases, StoreConformance.cases)
  func keepsPromise(kind: StoreKind, promise: StoreConformance.Case) async throws {
    try await promise.run(kind.makeFixture())
  }

  @Test("every promise has a name of its own")
  func namesDiffer() {
    let names = StoreConformance.cases.map(\.name) + SinkConformance.cases.map(\.name)
    #expect(Set(names).count == names.count)
  }
}
