import BelfryEngine
import BelfryTestKit
import Testing

@Suite struct StoreConformanceTests {
  @Test("a store keeps what every store promises", arguments: StoreKind.allCases, StoreConformance.cases)
  func keepsPromise(kind: StoreKind, promise: StoreConformance.Case) async throws {
    try await promise.run(kind.makeFixture())
  }

  @Test("every store counts its changes, but the one that several daemons may share", arguments: StoreKind.allCases)
  func countsChanges(kind: StoreKind) throws {
    let fixture = try kind.makeFixture()
    let store = try fixture.open()
    try store.write { _ = try $0.addSampleList() }
    let count = try store.changeCount()
    #expect((count == nil) == (kind == .postgres))
    withExtendedLifetime(fixture) {}
  }

  @Test("every promise has a name of its own")
  func namesDiffer() {
    let names = StoreConformance.cases.map(\.name) + SinkConformance.cases.map(\.name)
    #expect(Set(names).count == names.count)
  }
}
