import BelfryEngine
import BelfryTestKit
import CivilTime
import JSONStore
import MemoryStore
import PlistStore
import SQLiteStore
import VdirStore

enum StoreKind: String, CaseIterable, Sendable, CustomStringConvertible {
  case memory
  case sqlite
  case json
  case plist
  case binaryPlist
  case postgres
  case vdir

  /// The stores that are one file each.
  static let files: [StoreKind] = [.sqlite, .json, .plist, .binaryPlist]

  var description: String { rawValue }

  func makeFixture() throws -> any StoreFixture {
    switch self {
    case .memory: MemoryStoreFixture()
    case .sqlite: try SQLiteStoreFixture()
    case .json: try JSONStoreFixture()
    case .plist: try PlistStoreFixture(isBinary: false)
    case .binaryPlist: try PlistStoreFixture(isBinary: true)
    case .postgres: try PostgresStoreFixture(patience: patience)
    case .vdir: try VdirStoreFixture()
    }
  }
}

/// The longest wait for a store's lock, in seconds; long, since the machine may be slow.
private let patience = 3_600.0

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

  func open() -> any ItemStore { SQLiteStore(path: folder.file("belfry.sqlite"), lockTimeout: patience) }

  func names() throws -> [String] { try folder.names() }
}

struct JSONStoreFixture: StoreFixture {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.inMemory) }

  var isDurable: Bool { true }

  func open() -> any ItemStore { JSONStorePlugin.store(path: folder.file("belfry.json"), lockTimeout: patience) }

  func names() throws -> [String] { try folder.names() }
}

struct PlistStoreFixture: StoreFixture {
  private let folder: TemporaryFolder
  private let isBinary: Bool

  init(isBinary: Bool) throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    self.isBinary = isBinary
  }

  var isDurable: Bool { true }

  func open() -> any ItemStore {
    PlistStorePlugin.store(path: folder.file("belfry.plist"), isBinary: isBinary, lockTimeout: patience)
  }

  func names() throws -> [String] { try folder.names() }
}

/// A folder of calendars with its state.
///
/// One promise is out of its reach: a change of several lists and items counts at once in the state, but another program
/// sees its files change one after the other.
struct VdirStoreFixture: StoreFixture {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.inMemory) }

  var isDurable: Bool { true }

  func open() -> any ItemStore {
    VdirStore(
      path: folder.file("calendars"), states: folder.file("states"), zones: ZoneDatabase(environment: [:]),
      lockTimeout: patience)
  }

  func names() throws -> [String] { try folder.names() }
}
