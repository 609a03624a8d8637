import BelfryCore
import BelfryTestKit
import MemoryStore
import SQLiteStore

/// The stores that go through the suites.
enum StoreKind: String, CaseIterable, Sendable, CustomStringConvertible {
  case memory
  case sqlite

  var description: String { rawValue }

  func makeFixture() throws -> any StoreFixture {
    switch self {
    case .memory: MemoryStoreFixture()
    case .sqlite: try SQLiteStoreFixture()
    }
  }
}

struct MemoryStoreFixture: StoreFixture {
  private let store = MemoryStore()

  var isDurable: Bool { false }

  func open() -> any ItemStore { store }

  func names() -> [String] { [] }
}

struct SQLiteStoreFixture: StoreFixture {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.inMemory) }

  var isDurable: Bool { true }

  func open() -> any ItemStore { SQLiteStore(path: folder.file("belfry.sqlite")) }

  func names() throws -> [String] { try folder.names() }
}
