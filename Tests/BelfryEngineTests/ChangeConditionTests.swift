import BelfryTestKit
import Testing

@testable import BelfryEngine
@testable import BelfryModel

@Suite("Requirements and authors of changes")
struct ChangeConditionTests {
  private let fixture = EngineFixture()

  @Test("a change whose requirement fails changes nothing")
  func requirement() throws {
    try fixture.add()
    let belfry = fixture.belfry.requiring { reading in
      guard try reading.view.item(id: 1)?.item.isChecked == true else { throw BelfryError(.badInput, "not yet") }
    }
    #expect(throws: BelfryError.self) { try belfry.delete([1]) }
    _ = try fixture.belfry.setChecked(true, [1])
    _ = try belfry.delete([1])
    #expect(try fixture.store.read { try $0.item(id: 1) } == nil)
  }

  @Test("an author undoes and redoes their own last change, beside those of others; a command undoes any")
  func author() throws {
    for _ in 1...3 { try fixture.add() }
    var (anna, ben) = (fixture.belfry, fixture.belfry)
    (anna.author, ben.author) = ("anna", "ben")
    #expect(throws: BelfryError.self) { try anna.undo() }
    _ = try anna.setChecked(true, [1])
    _ = try ben.setChecked(true, [2])
    _ = try fixture.belfry.setChecked(true, [3])
    func checked() throws -> [Bool?] {
      try (1...3).map { id in try fixture.store.read { try $0.item(id: id)?.item.isChecked } }
    }
    _ = try anna.undo()
    #expect(try checked() == [false, true, true])
    #expect(throws: BelfryError.self) { try ben.redo() }
    _ = try anna.redo()
    #expect(try checked() == [true, true, true])
    _ = try fixture.belfry.undo()
    _ = try ben.undo()
    #expect(try checked() == [false, false, true])
  }
}
