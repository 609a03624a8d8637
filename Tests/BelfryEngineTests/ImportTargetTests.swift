import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Importing items without identity into a list that the user names.
@Suite("An import into a named list") struct ImportTargetTests {
  private let fixture = EngineFixture()
  private let home = ListChoice("Home", createsMissing: true)
  private let work = ListChoice("Work", createsMissing: true)

  /// The entries of a file: items of its own list, or of lists that it names; with ids, or with texts only.
  enum File: CaseIterable {
    case texts
    case ids
    case lists

    func entries(_ fixture: EngineFixture, _ own: String) throws -> [[ImportEntry]] {
      switch self {
      case .texts: [try ["Review", own, "Review"].map { .item(try fixture.imported($0), list: "Inbox") }]
      case .ids: [try [1, 2, 1].map { .item(try fixture.imported("Review", id: $0), list: "Inbox") }]
      case .lists: try ["A", "B"].map { fixture.importedList($0, [try fixture.imported("Review")]) }
      }
    }
  }

  private func add(_ file: File, _ own: String, onto target: ListChoice?) throws -> Int {
    try fixture.take(file.entries(fixture, own), onto: target).added.count
  }

  @Test("equal items of two files come into two lists, and each file again adds nothing", arguments: File.allCases)
  func twoFiles(file: File) throws {
    let count = try file.entries(fixture, "").joined().count { if case .item = $0 { true } else { false } }
    for _ in 1...2 {
      let isFirst = try fixture.kept.isEmpty
      for (own, target) in [("Home", home), ("Work", work), ("Default", nil)] {
        #expect(try add(file, own, onto: target) == (isFirst ? count : 0), "\(own)")
      }
    }
    #expect(try fixture.kept.count == 3 * count)
  }

  @Test("a list is the same one under another name, and its items the same ones elsewhere", arguments: File.allCases)
  func changed(file: File) throws {
    #expect(try add(file, "Work", onto: work) > 0)
    try fixture.add("mine")
    try fixture.edit(1) { $0.list = ListChoice("Groceries") }
    let id = try #require(fixture.store.read { try $0.list(named: "Work") }).id
    _ = try fixture.belfry.renameList(id, to: "Office")
    #expect(try add(file, "Work", onto: ListChoice("Office")) == 0)
  }

  @Test("an import that adds nothing makes no list, and there is nothing to undo")
  func nothingAdded() throws {
    let entries = [[ImportEntry.item(try fixture.imported("Review", uuid: UUID()), list: "Inbox")]]
    #expect(try fixture.take(entries, onto: home).newLists == ["Home"])
    let report = try fixture.take(entries, onto: work)
    #expect(report.knownCount == 1 && report.newLists == [])
    #expect(try fixture.store.read { try $0.lists().map(\.name) } == ["Home"])
    #expect(try fixture.belfry.undo().items.count == 1)
  }

  @Test("the same list, named or not, holds a file once", arguments: [false, true])
  func namedOrNot(isNamedFirst: Bool) throws {
    let inbox = ListChoice("Inbox", createsMissing: true)
    #expect(try add(.texts, "Work", onto: isNamedFirst ? inbox : nil) == 3)
    #expect(try add(.texts, "Work", onto: isNamedFirst ? nil : inbox) == 0)
  }

  @Test("an item that an earlier version added by the file's name of the list is known on its list, not elsewhere")
  func earlierVersion() throws {
    var identities = DerivedIdentities()
    let earlier = try fixture.imported("Review")
    var given = earlier
    given.uuid = identities.uuid(of: earlier, onListNamed: "Inbox")
    #expect(try fixture.take([[.item(given, list: "Inbox")]], onto: home).added.count == 1)
    #expect(try fixture.take([[.item(earlier, list: "Inbox")]], onto: home).knownCount == 1)
    #expect(try fixture.take([[.item(earlier, list: "Inbox")]], onto: work).added.count == 1)
  }
}
