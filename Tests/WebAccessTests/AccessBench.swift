import BelfryTestKit
import Foundation

@testable import WebAccess

/// A form of the tables of who may use the web face.
enum AccessForm: CaseIterable {
  case file

  func makeBench() throws -> any AccessBench {
    switch self {
    case .file: try FileBench()
    }
  }
}

/// Tables of one test, removed with it.
protocol AccessBench: Sendable {
  /// Opens them as another program does.
  func open() throws -> AccessStore

  /// Everything that is kept in them.
  func content() throws -> Data
}

extension AccessBench {
  /// True if a text is somewhere in the tables.
  func contains(_ text: some StringProtocol) throws -> Bool { try content().firstRange(of: Data(text.utf8)) != nil }
}

private struct FileBench: AccessBench {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.inMemory) }

  func open() -> AccessStore { AccessStore(AccessFile(store: folder.file("store.sqlite"))) }

  func content() throws -> Data {
    try folder.names().reduce(Data()) { try $0 + Data(contentsOf: URL(filePath: folder.file($1))) }
  }
}
