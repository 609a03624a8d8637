import BelfryModel
import BelfryTestKit
import CSQLite
import Foundation
import SQLiteStore
import Testing

@testable import WebAccess

@Suite("The file of who may use the web face")
struct AccessFileTests {
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)
  private static let editor = Access.Grant(person: "anna", scope: .edit)

  private let folder: TemporaryFolder
  private let file: AccessFile
  private let access: AccessStore

  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    file = AccessFile(store: folder.file("store.sqlite"))
    access = AccessStore(file)
  }

  @Test("the file is for its user alone, and one of a newer version or of another kind is refused")
  func files() throws {
    _ = try access.makeLink(for: Self.editor, at: Self.now)
    for name in try folder.names() {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    try access.write { try $0.statement("PRAGMA user_version = 99").execute() }
    #expect(errorKind { try access.list(at: Self.now) } == .storeFailed)
    for name in try folder.names() { try FileManager.default.removeItem(atPath: folder.file(name)) }
    try Data("not a database, whatever its name may say".utf8).write(to: URL(filePath: file.path))
    #expect(errorKind { try access.list(at: Self.now) } == .storeFailed)
    #expect(errorKind { try access.makeLink(for: Self.editor, at: Self.now) } == .storeFailed)
  }

  @Test("a file of the version before gets what it lacks, and keeps its tokens")
  func earlierVersion() throws {
    let text = try access.addToken("laptop", for: Self.editor, at: Self.now)
    let lacking = """
      DROP TABLE destination; DROP TABLE paused_link; DROP TABLE passkey; ALTER TABLE access DROP COLUMN maker;
      PRAGMA user_version = 1;
      """
    try Database(path: file.path, SQLITE_OPEN_READWRITE).execute(lacking)
    try access.pause(link: "link", until: Self.now.addingTimeInterval(600), at: Self.now)
    #expect(try access.token(text, at: Self.now) != nil && access.pauseEnd(ofLink: "link", at: Self.now) != nil)
  }
}
