import BelfryTestKit
import Testing

@testable import BelfryEngine
@testable import BelfryModel

@Suite("Requirements and authors of changes")
struct ChangeConditionTests {
  private let bench = Bench()

  @Test("a change whose requirement fails changes nothing")
  func requirement() throws {
    try bench.add()
    let belfry = bench.belfry.requiring { reading in
      guard try reading.view.item(id: 1)?.item.isChecked == true else { throw BelfryError(.badInput, "not yet") }
    }
    #expect(throws: BelfryError.self) { try belfry.delete([1]) }
    _ = try bench.belfry.setChecked(true, [1])
    _ = try belfry.delete([1])
    #expect(try bench.store.read { try $0.item(id: 1) } == nil)
  }

  @Test("only the author of the last change may undo it, and of an undo whoever made that")
  func author() throws {
    try bench.add()
    #expect(try bench.belfry.read { try !$0.mayUndo("anna") })
    var belfry = bench.belfry
    belfry.author = "anna"
    _ = try belfry.setChecked(true, [1])
    #expect(try belfry.read { try $0.mayUndo("anna") && !$0.mayUndo("ben") })
    belfry.author = "ben"
    _ = try belfry.undo()
    #expect(try belfry.read { try $0.mayUndo("ben", .redo) && !$0.mayUndo("anna", .redo) })
  }
}
