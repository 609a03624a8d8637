import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing

@testable import VdirStore

@Suite("A change that another program overtakes in the same file")
struct OvertakenChangesTests {
  /// A change of Belfry, and one of another program that cannot stand beside it.
  enum Clash: CaseIterable {
    case text
    case date
    case key
    case delete
    case rename

    /// What the error and the store say was kept.
    var kept: String {
      switch self {
      case .text: "home/a.ics was changed by another program in the same moment: its text 'Foreign' was kept"
      case .date: "home/a.ics was changed by another program in the same moment: its due date was kept"
      case .key: "home/a.ics was changed by another program in the same moment: its key was kept"
      case .delete: "home/a.ics was changed by another program in the same moment: it was kept, and not deleted"
      case .rename: "home/displayname was changed by another program in the same moment: its name 'Foreign' was kept"
      }
    }

    func make(_ belfry: Belfry) throws {
      var edit = ItemEdit()
      switch self {
      case .text: edit.text = "Ours"
      case .date: edit.due = .at(try #require(WallTime(parsing: "2026-11-27T09:00")))
      case .key: try setKey(in: belfry.store)
      case .delete: _ = try belfry.delete([1])
      case .rename: _ = try belfry.renameList(1, to: "Ours")
      }
      if edit != ItemEdit() { _ = try belfry.edit(1, edit) }
    }

    private func setKey(in store: any ItemStore) throws {
      try store.write { transaction in
        var item = try Check.present(transaction.item(id: 1)).item
        item.key = "ours"
        try transaction.update(item)
      }
    }

    func makeForeign(in place: Place) throws {
      switch self {
      case .text, .delete: try place.write(Place.todo("SUMMARY:Foreign", "DUE:20261126T090000"))
      case .date: try place.write(Place.todo("SUMMARY:Milk", "DUE:20261125T090000"))
      case .key: try place.write(Place.todo("SUMMARY:Milk", "DUE:20261126T090000", "X-BELFRY-KEY:theirs"))
      case .rename: try place.write("Foreign", to: "home/displayname")
      }
    }
  }

  private let place: Place
  private let settings: Settings

  init() throws {
    place = try Place()
    try place.write("Home", to: "home/displayname")
    try place.write(Place.todo("SUMMARY:Milk", "DUE:20261126T090000"))
    _ = try place.open().items()
    var settings = Settings()
    settings.timeZone = .named("UTC")
    self.settings = settings
  }

  // Belfry whose change of files meets what the other program does after its commit.
  private func overtaken(_ act: @escaping @Sendable (Place) throws -> Void) -> (store: VdirStore, belfry: Belfry) {
    let place = place
    let store = VdirStore(
      path: place.root, states: place.states, zones: place.zones, time: place.time,
      observer: { step in
        if step == .committed { try? act(place) }
      })
    return (store, Belfry(store: store, settings: settings, time: place.time, zones: place.zones))
  }

  private func faults() throws -> [String] { try place.open().read { try $0.editFaults() } }

  @Test("a command says that it is lost, and the store says so until it is changed again", arguments: Clash.allCases)
  func told(clash: Clash) throws {
    let belfry = overtaken { try clash.makeForeign(in: $0) }.belfry
    let error = #expect(throws: BelfryError.self) { try clash.make(belfry) }
    #expect(error?.kind == .tryAgain)
    #expect(error?.message.contains(clash.kept) == true, "\(error?.message ?? "")")
    #expect(try faults().map { $0.contains(clash.kept) } == [true])
    #expect(try place.open().damage() == [])
    if clash == .rename {
      #expect(try place.open().read { try $0.lists().map(\.name) } == ["Foreign"])
    } else {
      #expect(try place.read() == foreignFile(clash))
      #expect(try place.open().items().map(\.id) == [1])
    }
    place.time.advance(by: 2)
    try clash.make(place.belfry())
    #expect(try faults() == [])
  }

  private func foreignFile(_ clash: Clash) throws -> String {
    let other = try Place()
    try clash.makeForeign(in: other)
    return try other.read()
  }

  @Test("it is told for a day")
  func forgotten() throws {
    let belfry = overtaken { try Clash.text.makeForeign(in: $0) }.belfry
    #expect(throws: BelfryError.self) { try Clash.text.make(belfry) }
    place.time.advance(by: 86_399)
    #expect(try faults().count == 1)
    place.time.advance(by: 2)
    #expect(try faults() == [])
  }

  @Test("changes of different fields are both made, and nothing is told")
  func merged() throws {
    let belfry = overtaken { try Clash.date.makeForeign(in: $0) }.belfry
    try Clash.text.make(belfry)
    #expect(try place.read().contains("SUMMARY:Ours") && place.read().contains("DUE:20261125T090000"))
    #expect(try place.open().items().map(\.text) == ["Ours"])
    #expect(try faults() == [])
  }

  @Test("the same change of both is made, and nothing is told")
  func same() throws {
    let belfry = overtaken {
      try $0.write(Place.todo("SUMMARY:Ours", "DUE:20261126T090000", "X-ODD:1"))
    }.belfry
    try Clash.text.make(belfry)
    #expect(try faults() == [])
    #expect(try place.read().contains("X-ODD:1"))
  }

  @Test("a file that is half written in that moment is told by name, and what is lost once it is whole")
  func halfWritten() throws {
    let belfry = overtaken { try $0.write("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\n") }.belfry
    try Clash.text.make(belfry)
    #expect(try faults().map { $0.contains("home/a.ics: ") } == [true])
    try Clash.text.makeForeign(in: place)
    #expect(try faults().map { $0.contains(Clash.text.kept) } == [true])
  }

  @Test("the daemon, which must know what it has committed, is not refused, and the store says what is lost")
  func daemon() throws {
    let (store, belfry) = overtaken { try Clash.text.makeForeign(in: $0) }
    let lock = try store.lockForDaemon()
    defer { lock.release() }
    try Clash.text.make(belfry)
    #expect(try faults().map { $0.contains(Clash.text.kept) } == [true])
  }
}
