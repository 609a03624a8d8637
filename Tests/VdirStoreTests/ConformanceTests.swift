import BelfryEngine
import BelfryTestKit
import CivilTime
import Testing
import VdirStore

/// What every store promises.
///
/// What a folder of calendars cannot promise: a change of several lists and items counts at once in the state, but
/// another program sees its files change one after the other.
@Suite("A folder of calendars as a store")
struct ConformanceTests {
  @Test("it keeps what every store promises", arguments: StoreConformance.cases)
  func keepsPromise(promise: StoreConformance.Case) async throws { try await promise.run(Fixture()) }
}

private struct Fixture: StoreFixture {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.inMemory) }

  var isDurable: Bool { true }

  // The longest wait for the lock is long, since the machine may be slow.
  func open() -> any ItemStore {
    VdirStore(
      path: folder.file("calendars"), states: folder.file("states"), zones: ZoneDatabase(environment: [:]),
      lockTimeout: 3_600)
  }

  func names() throws -> [String] { try folder.names() }
}
