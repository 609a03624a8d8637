import BelfryTestKit
import Foundation
import Testing

/// Random runs, compared after each step with an independent model of the state tables.
///
/// `BELFRY_MODEL_SEED=N` runs only that sequence, `BELFRY_MODEL_SEQUENCES=N` that many instead of a few hundred.
@Suite struct ModelTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let groups = 4

  private static func seeds(of kind: StoreKind, group: Int) -> [UInt64] {
    if let seed = environment["BELFRY_MODEL_SEED"].flatMap({ UInt64($0) }) {
      return group == 0 ? [seed] : []
    }
    let asked = environment["BELFRY_MODEL_SEQUENCES"].flatMap { UInt64($0) }
    let count = asked ?? (kind == .memory ? 240 : 120)
    return (0..<count).filter { $0 % UInt64(groups) == UInt64(group) }
  }

  @Test(
    "Belfry over a store does what the state tables say, whatever happens",
    arguments: StoreKind.allCases, 0..<groups)
  func stateTables(kind: StoreKind, group: Int) async throws {
    for seed in Self.seeds(of: kind, group: group) {
      try await RandomLife(seed: seed, fixture: kind.makeFixture()).run(steps: 30)
    }
  }
}
