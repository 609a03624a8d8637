import Foundation
import TestSupport
import Testing

@Suite("Typing on while a form is saved, in a browser")
struct SavingTests {
  @Test("what is typed while a form is saved, refused or in conflict stays, with the focus and the caret")
  func typing() async throws {
    let told = try await Sandbox().fixture("saving.py", [Programs.folder.path])
    let steps = Dictionary(told.compactMap { line in line["step"]?.text.map { ($0, line) } }) { first, _ in first }
    let typed = { (step: String) in steps[step]?["typed"]?.elements }
    #expect(typed("saved") == [.text("f-notes"), .text("one two"), .integer(6)])
    #expect(steps["saved"]?["notes"] == .text("one") && steps["saved"]?["question"] == .text("beforeunload"))
    #expect(steps["saved twice"]?["notes"] == .text("one tw!o") && steps["saved twice"]?["question"] == .null)
    #expect(typed("refused") == [.text("f-due"), .text("no day or so"), .integer(12)])
    #expect(typed("changed elsewhere") == [.text("f-text"), .text("Clean it"), .integer(7)])
    #expect(steps["changed elsewhere"]?["choices"] == .integer(1))
    #expect(typed("made") == [.text("f-name"), .text("Garden"), .integer(6)])
    #expect(steps["made"]?["question"] == .text("beforeunload"))
  }
}
