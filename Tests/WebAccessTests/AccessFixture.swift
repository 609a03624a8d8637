import BelfryEngine
import BelfryTestKit
import ConfigKeys
import Foundation
import PostgresStore
import Synchronization
import TestSupport

@testable import WebAccess

/// A form of the tables of who may use the web face.
enum AccessForm: CaseIterable {
  case file, postgres

  func makeFixture() throws -> any AccessFixture {
    switch self {
    case .file: try FileAccessFixture()
    case .postgres: try PostgresAccessFixture()
    }
  }
}

/// Tables of one test, removed with it.
protocol AccessFixture: Sendable {
  /// Opens them as another program does.
  func open() throws -> AccessStore

  /// Everything that is kept in them.
  func content() throws -> Data
}

extension AccessFixture {
  /// True if a text is somewhere in the tables.
  func contains(_ text: some StringProtocol) throws -> Bool { try content().firstRange(of: Data(text.utf8)) != nil }
}

struct FileAccessFixture: AccessFixture {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.inMemory) }

  func open() -> AccessStore { AccessStore(AccessFile(store: folder.file("store.sqlite"))) }

  func content() throws -> Data {
    try folder.names().reduce(Data()) { try $0 + Data(contentsOf: URL(filePath: folder.file($1))) }
  }
}

final class PostgresAccessFixture: AccessFixture {
  private static let count = Atomic(0)

  private let server: PostgresServer
  private let schema: String

  init() throws {
    server = try PostgresServer.shared.get()
    schema = "access_\(Self.count.add(1, ordering: .relaxed).newValue)"
  }

  deinit { _ = try? server.run("DROP SCHEMA IF EXISTS \(schema) CASCADE") }

  func store() -> PostgresStore { PostgresStore(url: SecretSource(Secret(server.url())), schema: schema) }

  func open() throws -> AccessStore { try AccessStore(of: store()) }

  func content() throws -> Data {
    let tables = try server.run("SELECT tablename FROM pg_tables WHERE schemaname = '\(schema)'").split(separator: "\n")
    return try tables.reduce(Data()) { try $0 + Data(server.run("SELECT t::text FROM \(schema).\($1) t").utf8) }
  }
}
