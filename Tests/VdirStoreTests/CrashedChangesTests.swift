import BelfryEngine
import BelfryTestKit
import Foundation
import Testing

@testable import VdirStore

@Suite("A change of a file that a crash cut off, and what another program wrote")
struct CrashedChangesTests {
  private static let old = "old content"
  private static let new = "new content"
  private static let foreign = "foreign content"
  private static let later = "later foreign content"

  /// The state that a kill, and another program, can leave: the kind of the change, the draft, and the file.
  struct State: CustomTestStringConvertible {
    let old: String?
    let new: String?
    let draft: String?
    let file: String?

    var testDescription: String { "\(old ?? "-") > \(new ?? "-"), draft \(draft ?? "-"), file \(file ?? "-")" }
  }

  static var states: [State] {
    let kinds: [(String?, String?)] = [(nil, new), (old, new), (old, nil)]
    let drafts = [nil, "new c", new, old, foreign]
    return kinds.flatMap { kind in
      drafts.flatMap { draft in
        [nil, old, new, foreign, later].map { State(old: kind.0, new: kind.1, draft: draft, file: $0) }
      }
    }
  }

  private let place: Place

  init() throws { place = try Place() }

  private func contents() throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path("home"))
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try place.read("home/\($0)")) })
  }

  @Test("a deletion takes no draft of a change that was killed before it counted for another program's")
  func draftOfAnUncommittedChange() throws {
    try place.write(Place.todo("SUMMARY:Milk"))
    let store = place.open()
    let id = try #require(store.items().first).id
    for number in 1...9 { try place.write("a draft", to: "home/.belfry-\(number).tmp") }
    _ = try place.belfry().delete([id])
    #expect(try place.open().items().isEmpty)
    let left = try FileManager.default.contentsOfDirectory(atPath: place.path("home"))
    #expect(!left.contains { $0.hasSuffix(".ics") || $0.hasPrefix(".belfry-kept") }, "\(left)")
  }

  @Test("no state that a kill can leave loses a byte of another program", arguments: states)
  func redo(state: State) throws {
    if let draft = state.draft { try place.write(draft, to: "home/.belfry-7.tmp") }
    if let file = state.file { try place.write(file) }
    let intent = Mirror.Intent(
      id: 7, path: "home/a.ics", old: state.old.map { Array($0.utf8) }, new: state.new.map { Array($0.utf8) })
    let change = FileChange(intent: intent, root: place.root, failures: VdirFailures(path: place.root))
    let outcome = try change.make()
    let left = try contents()
    #expect(left[".belfry-7.tmp"] == nil)
    for foreign in [state.draft, state.file] where foreign == Self.foreign || foreign == Self.later {
      #expect(left.values.contains { $0 == foreign }, "\(foreign ?? "") is lost: \(left)")
      #expect(outcome == .conflict)
    }
    // An existing file counts last; what an exchange took out is back if nothing is newer.
    if state.file == Self.foreign || state.file == Self.later { #expect(left["a.ics"] == state.file) }
    if state.draft == Self.foreign, state.file == nil || state.file == state.new {
      #expect(left["a.ics"] == Self.foreign)
    }
    // Done again, it changes nothing of another program.
    _ = try change.make()
    for (name, content) in left where content == Self.foreign || content == Self.later {
      #expect(try contents()[name] == content)
    }
  }

  @Test("a change that another program overtook is kept beside the file, and told")
  func kept() throws {
    try place.write(Self.foreign, to: "home/.belfry-7.tmp")
    try place.write(Self.later)
    let intent = Mirror.Intent(id: 7, path: "home/a.ics", old: Array(Self.old.utf8), new: Array(Self.new.utf8))
    let failures = VdirFailures(path: place.root)
    #expect(try FileChange(intent: intent, root: place.root, failures: failures).make() == .conflict)
    #expect(try contents() == ["a.ics": Self.later, ".belfry-kept-1": Self.foreign])
    let faults = try FolderListing(root: place.root, failures).faults
    #expect(faults.count == 1)
    #expect(faults.first?.contains("home/.belfry-kept-1 holds what another program wrote") == true)
  }

  @Test("a name that ends in .ics in any case of letters is a calendar", arguments: ["X.ICS", "x.Ics", "x.ics"])
  func anyCase(name: String) throws {
    try place.write(Place.todo("SUMMARY:Milk"), to: "home/\(name)")
    #expect(try place.open().items().map(\.text) == ["Milk"])
  }
}
