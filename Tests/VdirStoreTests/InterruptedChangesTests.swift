import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import Synchronization
import TestSupport
import Testing
import VdirStore

/// Changes by another program at any step of ours, also after a kill at that step.
@Suite("A change of files that is interrupted at each of its steps")
struct InterruptedChangesTests {
  enum Kind: CaseIterable {
    case edit
    case check
    case delete
    case add
    case move

    var steps: [ChangeStep] {
      switch self {
      case .edit, .check: [.decided, .drafted, .committed, .exchanged, .compared, .cleared, .recorded]
      case .delete: [.decided, .committed, .exchanged, .compared, .cleared, .recorded]
      case .add: [.decided, .drafted, .committed, .exchanged, .recorded]
      case .move:
        [.decided, .drafted, .committed, .exchanged, .recorded, .exchanged, .compared, .cleared, .recorded]
      }
    }
  }

  /// What the other program does.
  enum Act: CaseIterable {
    case nothing
    case write
    case delete
    case replace
  }

  struct Interruption: CustomTestStringConvertible {
    let kind: Kind
    let step: Int
    let act: Act
    let isKilled: Bool

    /// True if the change counts.
    var isCommitted: Bool { !isKilled || step >= kind.steps.firstIndex(of: .committed) ?? 0 }
    var testDescription: String {
      "\(kind), \(act) after step \(step + 1) (\(kind.steps[step]))\(isKilled ? ", killed" : "")"
    }
  }

  static var interruptions: [Interruption] {
    Kind.allCases.flatMap { kind in
      kind.steps.indices.flatMap { step in
        Act.allCases.flatMap { act in
          [false, true].map { Interruption(kind: kind, step: step, act: act, isKilled: $0) }
        }
      }
    }
  }

  private let place: Place

  init() throws {
    place = try Place()
    try FileManager.default.createDirectory(atPath: place.path("work"), withIntermediateDirectories: true)
    try place.write(Place.todo("SUMMARY:Milk", "X-ODD:kept"))
    _ = try place.open().items()
  }

  @Test("no byte of the other program is lost, and the change is made or told", arguments: interruptions)
  func interrupted(_ interruption: Interruption) throws {
    let steps = Mutex<[ChangeStep]>([])
    let failure = Mutex<String?>(nil)
    let place = place
    let isLost = try isLost(interruption.kind) { step in
      let number = steps.withLock { steps in
        steps.append(step)
        return steps.count - 1
      }
      guard number == interruption.step else { return }
      do {
        if interruption.isKilled { try Self.takePicture(place) } else { try Self.act(interruption.act, in: place) }
      } catch {
        failure.withLock { $0 = "\(error)" }
      }
    }
    #expect(failure.withLock(\.self) == nil)
    #expect(steps.withLock { $0.starts(with: interruption.kind.steps.prefix(interruption.step + 1)) })
    if interruption.isKilled {
      try showPicture()
      try Self.act(interruption.act, in: place)
    }
    let store = place.open()
    _ = try store.items()
    try checkFiles(interruption, damage: store.damage())
    try checkItems(interruption, store)
    // The file that another program writes before it is deleted stays.
    let isDeletedTooLate = interruption.kind == .delete && interruption.act == .write && !interruption.isKilled
    #expect(isLost == (isDeletedTooLate && interruption.step <= 1))
    if isLost {
      #expect(try store.read { try $0.editFaults() }.contains { $0.contains("it was kept, and not deleted") })
    }
    // Nothing is left to do.
    let after = try files()
    _ = try place.open().items()
    #expect(try files() == after)
  }

  // Returns whether the change was refused, since another program changed the file in the same moment.
  private func isLost(_ kind: Kind, _ observer: @escaping StepObserver) throws -> Bool {
    do {
      try change(kind, observer)
      return false
    } catch let error as BelfryError where error.kind == .tryAgain {
      return true
    }
  }

  private func change(_ kind: Kind, _ observer: @escaping StepObserver) throws {
    let store = VdirStore(
      path: place.root, states: place.states, zones: place.zones, time: place.time, observer: observer)
    var settings = Settings()
    settings.timeZone = .named("UTC")
    let belfry = Belfry(store: store, settings: settings, time: place.time, zones: place.zones)
    switch kind {
    case .edit:
      var edit = ItemEdit()
      edit.notes = "ours"
      _ = try belfry.edit(1, edit)
    case .check: _ = try belfry.setChecked(true, [1])
    case .delete: _ = try belfry.delete([1])
    case .add: _ = try belfry.add([ItemDraft(text: "Ours")], to: ListChoice("home"))
    case .move:
      var edit = ItemEdit()
      edit.list = ListChoice("work")
      _ = try belfry.edit(1, edit)
    }
  }

  // MARK: The other program

  // It changes the file that Belfry changes, wherever that is now, or writes a new one.
  private static func act(_ act: Act, in place: Place) throws {
    let names = ["home", "work"].flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: place.path(folder))) ?? []).sorted()
        .filter { $0.hasSuffix(".ics") }.map { "\(folder)/\($0)" }
    }
    let target = names.first { $0 == "home/a.ics" } ?? names.first ?? "home/b.ics"
    switch act {
    case .nothing: break
    case .write:
      let text = (try? place.read(target)) ?? Place.todo("SUMMARY:Milk", "X-ODD:kept")
      try place.write(text.replacing(#/SUMMARY:\w+/#, with: "SUMMARY:Foreign"), to: target)
    case .delete: try? place.remove(target)
    case .replace: try place.write(Place.todo(uid: "z", "SUMMARY:Foreign"), to: target)
    }
  }

  // MARK: A kill

  // Another process copies, since SQLite's locks would end with a descriptor of this one.
  private static func takePicture(_ place: Place) throws {
    let picture = place.folder.file("picture")
    try FileManager.default.createDirectory(atPath: picture, withIntermediateDirectories: true)
    _ = try Program.output(["cp", "-a", place.root, place.states, picture])
  }

  private func showPicture() throws {
    for path in [place.root, place.states] {
      try FileManager.default.removeItem(atPath: path)
      let name = URL(filePath: path).lastPathComponent
      try FileManager.default.moveItem(atPath: place.folder.file("picture/\(name)"), toPath: path)
    }
  }

  // MARK: What holds afterwards

  private func files() throws -> [String: String] {
    var files: [String: String] = [:]
    for folder in ["home", "work"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: place.path(folder)) where name != "displayname" {
        files["\(folder)/\(name)"] = try place.read("\(folder)/\(name)")
      }
    }
    return files
  }

  private func checkFiles(_ interruption: Interruption, damage: [String]) throws {
    let files = try files()
    if interruption.act == .write || interruption.act == .replace {
      let isThere = files.contains { !$0.key.hasSuffix(".tmp") && $0.value.contains("SUMMARY:Foreign\r\n") }
      #expect(isThere, "\(files)")
    }
    for name in files.keys where name.contains(".belfry-kept-") {
      #expect(damage.contains { $0.contains(name) }, "\(damage)")
    }
    if interruption.isCommitted { #expect(!files.keys.contains { $0.hasSuffix(".tmp") }, "\(files.keys)") }
    for text in files.values { #expect(text.hasSuffix("END:VCALENDAR\r\n"), "\(text)") }
  }

  private func checkItems(_ interruption: Interruption, _ store: VdirStore) throws {
    let items = try store.items()
    let item = items.first { $0.id == 1 }
    let (kind, act) = (interruption.kind, interruption.act)
    let list = try store.read { try $0.item(id: 1)?.listName }
    // A program that replaced its file, or deleted it, did so to the to-do that Belfry has: it stays for a minute at
    // least.
    guard interruption.isCommitted else {
      #expect(!items.contains { $0.text == "Ours" })
      #expect(item != nil && item?.notes == nil && item?.isChecked == false && list == "home")
      return
    }
    switch kind {
    case .edit: #expect(item?.notes == "ours")
    case .check: #expect(item?.isChecked == true)
    case .delete: #expect((item == nil) == (act != .write))
    case .add: #expect(items.contains { $0.id == 2 })
    case .move: #expect(list == "work")
    }
    let damage = try store.damage()
    if act == .write || act == .replace { #expect(items.contains { $0.text == "Foreign" } || !damage.isEmpty) }
    if act == .nothing { #expect(damage.isEmpty, "\(damage)") }
  }
}
