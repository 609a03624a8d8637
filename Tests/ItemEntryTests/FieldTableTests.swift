import BelfryEngine
import BelfryModel
import CivilTime
import ItemEntry
import Testing

@Suite("The table of an item's fields")
struct FieldTableTests {
  private let fixture = EntryFixture()

  private func full() throws -> ItemListing {
    try fixture.item([
      .due: .text("fri 17:00"), .timeZone: .text("Asia/Tokyo"), .remind: .flag(false),
      .alerts: .texts(["1d", "10m"]), .repeat: .text("every 2 weeks"), .repeatFrom: .text("done"), .nag: .text("15m"),
      .tags: .texts(["home", "@Garden"]), .priority: .text("medium"),
      .category: .text("bills"), .notes: .text("one\ntwo"),
    ])
  }

  @Test("what a form shows of an item is read as what it is", arguments: ItemField.allCases)
  func shown(field: ItemField) throws {
    for item in [try full(), try fixture.item()] {
      let edit = try fixture.edit([field: .init(of: field, inForm: field.row.show(item))], of: item)
      #expect(try fixture.applying(edit, to: item.item) == item.item)
      let names = [false, true].map { ListChoice.named(item.listName, createsMissing: $0) }
      #expect(edit.list.map(names.contains) ?? true)
    }
  }

  @Test("what a form shows of one item makes another like it")
  func taken() throws {
    let (full, bare) = (try full(), try fixture.item())
    let words = Dictionary(
      uniqueKeysWithValues: ItemField.allCases.map { ($0, ItemEntry.Words(of: $0, inForm: $0.row.show(full))) })
    var made = try fixture.applying(try fixture.edit(words, of: bare), to: bare.item)
    (made.id, made.uuid, made.position) = (full.item.id, full.item.uuid, full.item.position)
    #expect(made == full.item)
  }

  @Test("the form of a new item asks for nothing as it is")
  func blank() {
    let blank = ItemListing.blank(on: "Work")
    let shown = ItemField.allCases.filter { !$0.row.show(blank).isEmpty }
    #expect(shown == [.repeatFrom, .remind, .list, .priority])
  }

  @Test("a priority keeps the number of a file until its level changes")
  func priority() throws {
    var item = try fixture.item()
    item.item.priority = ItemPriority(number: 3)
    for (word, number) in [("high", 3), ("low", 9), ("none", nil)] as [(String, Int64?)] {
      let edit = try fixture.edit([.priority: .text(word)], of: item)
      #expect(try fixture.applying(edit, to: item.item).priority?.number == number, "\(word)")
    }
    #expect(try fixture.applying(fixture.edit([.priority: .clear], of: item), to: item.item).priority == nil)
    #expect(throws: ItemEntryFaults.self) { try fixture.edit([.priority: .text("urgent")], of: item) }
  }

  @Test("each field has a label of its own")
  func labels() {
    #expect(Set(ItemField.allCases.map { "\($0.row.label)" }).count == ItemField.allCases.count)
  }
}
