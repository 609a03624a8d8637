import BelfryTestKit
import Foundation
import Testing

@testable import BelfryEngine
@testable import BelfryModel

@Suite("Moving an item on its list")
struct MoveTests {
  private let fixture = EngineFixture()

  /// The numbers of the items of a list, in its order.
  private func order(on list: Int64 = 1) throws -> [Int64] {
    try fixture.store.read { view in
      var ids: [Int64] = []
      try view.forEachItem(ItemQuery(listID: list, checked: .any, order: .place)) { ids.append($0.item.id) }
      return ids
    }
  }

  private func add(_ count: Int) throws { for number in 1...count { try fixture.add("Item \(number)") } }

  @Test(
    "an item stands where it was moved, and undoing moves it back",
    arguments: [
      (1, .before(4), [2, 3, 1, 4]), (1, .after(2), [2, 1, 3, 4]), (4, .before(1), [4, 1, 2, 3]),
      (2, .end, [1, 3, 4, 2]), (3, .after(4), [1, 2, 4, 3]), (4, .after(1), [1, 4, 2, 3]),
    ] as [(Int64, ItemPlace, [Int64])])
  func moved(id: Int64, place: ItemPlace, expected: [Int64]) throws {
    try add(4)
    try fixture.setClock("2026-11-21T09:05:00+01:00")
    let change = try fixture.belfry.move(id, to: place)
    #expect(change.listing.item.id == id && change.listing.item.updatedAt == fixture.time.now)
    #expect(try order() == expected)
    let undone = try fixture.belfry.undo()
    #expect(undone.command == "move" && undone.items.map(\.change.listing.item.id) == [id])
    #expect(try order() == [1, 2, 3, 4])
    #expect(try fixture.belfry.redo().command == "move")
    #expect(try order() == expected)
  }

  @Test("what stands there already is not changed", arguments: [ItemPlace.before(3), .after(1)])
  func there(place: ItemPlace) throws {
    try add(3)
    _ = try fixture.belfry.move(2, to: place)
    #expect(try order() == [1, 2, 3] && fixture.belfry.undo().command == "add")
  }

  @Test("moved again and again, also where no position is free, items stand in the order asked for")
  func many() throws {
    try add(6)
    try fixture.store.write { transaction in
      for (id, position) in [(1, Int64.min), (2, 7), (3, 7), (4, 8), (5, .max), (6, .max)] {
        guard var item = try transaction.item(id: Int64(id))?.item else { continue }
        item.position = position
        try transaction.update(item)
      }
    }
    var expected = try order()
    #expect(expected == [1, 2, 3, 4, 5, 6])
    var numbers = SeededGenerator(seed: 20)
    for _ in 1...300 {
      let ids = expected.shuffled(using: &numbers)
      let place = [ItemPlace.before(ids[1]), .after(ids[1]), .end].randomElement(using: &numbers) ?? .end
      let before = expected
      expected.removeAll { $0 == ids[0] }
      let target = expected.firstIndex(of: ids[1]) ?? 0
      switch place {
      case .before: expected.insert(ids[0], at: target)
      case .after: expected.insert(ids[0], at: target + 1)
      case .end: expected.append(ids[0])
      }
      _ = try fixture.belfry.move(ids[0], to: place)
      #expect(try order() == expected, "\(before): \(ids[0]) to \(place)")
      guard expected != before, Bool.random(using: &numbers) else { continue }
      _ = try fixture.belfry.undo()
      expected = before
      #expect(try order() == expected, "undone: \(ids[0]) to \(place)")
    }
  }

  @Test("its reminders and snooze stay")
  func reminders() throws {
    try add(1)
    try fixture.add(due: "2026-11-21T10:00")
    let before = try fixture.reminders(of: .item(2))
    _ = try fixture.belfry.move(2, to: .before(1))
    #expect(try fixture.reminders(of: .item(2)) == before && before.count == 1)
  }

  @Test(
    "a place that is none is refused",
    arguments: [
      (9, .end, .notFound, "no item 9"), (1, .before(9), .notFound, "no item 9"),
      (1, .after(1), .badInput, "beside itself"),
      (1, .before(3), .badInput, "'Buy milk' is on 'Work', not on 'Groceries'"),
    ] as [(Int64, ItemPlace, BelfryError.Kind, String)])
  func refused(id: Int64, place: ItemPlace, kind: BelfryError.Kind, words: String) throws {
    try add(2)
    try fixture.add(to: "Work")
    let error = try #require(throws: BelfryError.self) { try fixture.belfry.move(id, to: place) }
    #expect(error.kind == kind && error.message.contains(words), "\(error)")
    #expect(try order() == [1, 2])
  }
}
