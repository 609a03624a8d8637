import BelfryTestKit
import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb
@testable import CivilTime

@Suite("An item that somebody else changed after its form was shown")
struct ItemConflictTests {
  private let fixture: PageFixture
  private let visitor: String

  init() throws {
    fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-23T08:00", notes: "old")
    visitor = try fixture.visitor()
  }

  /// Changes the item as a command does.
  private func changeElsewhere(_ text: String? = nil, due: String? = nil) throws {
    var edit = ItemEdit()
    if let text { edit.text = text }
    if let due { edit.due = .at(try #require(WallTime(parsing: due))) }
    _ = try fixture.server.belfry.edit(1, edit)
  }

  private func item() throws -> Item { try #require(try fixture.item(1)) }

  /// Sends the form, and returns the fields of the page that asks what to keep.
  private func conflict(
    _ changes: [String: String], from shown: [String: String], about names: [String]
  ) async throws -> [String: String] {
    let reply = try await fixture.save(1, changes, from: shown, visitor)
    #expect(reply.status == 409 && reply.body.contains("was changed after this page was shown"))
    let fields = try PageFixture.itemFields(in: reply.body)
    #expect(fields.keys.filter { $0.hasPrefix("keep_") }.sorted() == names.map { "keep_\($0)" })
    #expect(fields["version"] != shown["version"])
    return fields
  }

  @Test("of a field that both changed it shows both values, and keeps what was typed unless told otherwise")
  func both() async throws {
    let shown = try await fixture.fields(ofItem: 1, visitor)
    try changeElsewhere("Oat <milk>")
    let typed = ["text": "Soy milk", "notes": "new"]
    let reply = try await fixture.save(1, typed, from: shown, visitor)
    #expect(reply.body.contains("<q dir=\"auto\">Oat &lt;milk&gt;</q>"))
    let fields = try await conflict(typed, from: shown, about: ["text"])
    #expect(fields["text"] == "Soy milk" && fields["notes"] == "new" && fields["keep_text"] == "typed")
    #expect(try item().text == "Oat <milk>" && item().notes == "old")
    #expect(try await fixture.save(1, [:], from: fields, visitor).status == 303)
    #expect(try item().text == "Soy milk" && item().notes == "new")
  }

  @Test("the other value is kept where it is chosen, together with what was typed elsewhere")
  func chosen() async throws {
    let shown = try await fixture.fields(ofItem: 1, visitor)
    try changeElsewhere("Oat milk")
    let fields = try await conflict(["text": "Soy milk", "notes": "new"], from: shown, about: ["text"])
    let asked = try await fixture.save(1, ["keep_text": "now", "show": "yes"], from: fields, visitor)
    let again = try PageFixture.itemFields(in: asked.body)
    #expect(asked.status == 200 && again["keep_text"] == "now" && again["text"] == "Soy milk")
    #expect(try await fixture.save(1, [:], from: again, visitor).status == 303)
    #expect(try item().text == "Oat milk" && item().notes == "new")
  }

  @Test("a field that only the other changed stays changed, and nothing is asked")
  func otherField() async throws {
    let shown = try await fixture.fields(ofItem: 1, visitor)
    try changeElsewhere(due: "2026-11-24T09:30")
    #expect(try await fixture.save(1, ["text": "Soy milk"], from: shown, visitor).status == 303)
    #expect(try "\(#require(item().due).local)" == "2026-11-24T09:30" && item().text == "Soy milk")
  }

  @Test("where something is asked, a field that only the other changed shows its present value")
  func besides() async throws {
    let shown = try await fixture.fields(ofItem: 1, visitor)
    try changeElsewhere("Oat milk", due: "2026-11-24T09:30")
    let fields = try await conflict(["text": "Soy milk"], from: shown, about: ["text"])
    #expect(fields["date"] == "2026-11-24" && fields["time"] == "09:30")
    #expect(try await fixture.save(1, [:], from: fields, visitor).status == 303)
    #expect(try "\(#require(item().due).local)" == "2026-11-24T09:30" && item().text == "Soy milk")
  }

  @Test("words for the due date are a change of the date that the other changed")
  func dueInWords() async throws {
    let shown = try await fixture.fields(ofItem: 1, visitor)
    try changeElsewhere(due: "2026-11-24T09:30")
    let fields = try await conflict(["due": "fri 17:00"], from: shown, about: ["due"])
    #expect(fields["keep_due"] == "typed" && fields["due"] == "fri 17:00")
    #expect(try await fixture.save(1, [:], from: fields, visitor).status == 303)
    #expect(try "\(#require(item().due).local)" == "2026-11-27T17:00")
  }

  @Test("words for the due date mean what they meant when they were typed, also once something has to be chosen")
  func dueTypedEarlier() async throws {
    let shown = try await fixture.fields(ofItem: 1, visitor)
    let (typed, time) = (["due": "tomorrow 17:00"], "2026-11-19T23:30:00Z")
    #expect(try await fixture.save(1, typed, from: shown, visitor, typedAt: time).status == 303)
    #expect(try "\(#require(item().due).local)" == "2026-11-21T17:00")
    try changeElsewhere(due: "2026-11-24T09:30")
    let reply = try await fixture.save(1, typed, from: shown, visitor, typedAt: time)
    let fields = try PageFixture.itemFields(in: reply.body)
    #expect(reply.status == 409 && fields["due"] == "" && fields["date"] == "2026-11-21" && fields["time"] == "17:00")
    #expect(try await fixture.save(1, typed, from: shown, visitor, typedAt: "blursday").status == 400)
  }

  @Test("a change after the choice asks again, and nothing of what was typed is lost")
  func again() async throws {
    let shown = try await fixture.fields(ofItem: 1, visitor)
    try changeElsewhere("Oat milk")
    let first = try await conflict(["text": "Soy milk", "notes": "new"], from: shown, about: ["text"])
    try changeElsewhere("Rice milk", due: "2026-11-24T09:30")
    let second = try await conflict(["keep_text": "now"], from: first, about: ["text"])
    #expect(second["text"] == "Soy milk" && second["notes"] == "new" && second["keep_text"] == "now")
    #expect(try await fixture.save(1, [:], from: second, visitor).status == 303)
    #expect(try item().text == "Rice milk" && item().notes == "new")
  }

  @Test("who typed the same as the other, or sends no version, loses nothing")
  func same() async throws {
    let shown = try await fixture.fields(ofItem: 1, visitor)
    try changeElsewhere("Oat milk")
    #expect(try await fixture.save(1, ["text": "Oat milk", "notes": "new"], from: shown, visitor).status == 303)
    #expect(try item().notes == "new")
    let fields = try await conflict(["text": "Soy milk", "version": ""], from: shown, about: ["notes", "text"])
    #expect(fields["keep_text"] == "typed" && fields["keep_notes"] == "typed")
    #expect(try item().text == "Oat milk")
  }
}
