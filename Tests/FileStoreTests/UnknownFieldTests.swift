import BelfryEngine
import BelfryTestKit
import Foundation
import Testing

@Suite("What a file holds beside the fields that Belfry knows goes where its record goes")
struct UnknownFieldTests {
  @Test("it comes back with an item and a list that are deleted and restored", arguments: Format.texts)
  func undo(format: Format) throws {
    let place = try place(format)
    _ = try place.belfry().delete([2])
    #expect(marks(place) == 2, "\(place.text)")
    _ = try place.belfry().undo()
    #expect(marks(place) == 3, "\(place.text)")
    _ = try place.belfry().deleteList("Home")
    #expect(marks(place) == 0, "\(place.text)")
    _ = try place.belfry().undo()
    #expect(marks(place) == 3, "\(place.text)")
    #expect(try place.open().read { try $0.items().count } == 3)
  }

  @Test("it survives a copy to the other format and back, to the byte", arguments: Format.texts, Format.allCases)
  func copy(from: Format, to: Format) throws {
    let place = try place(from)
    let (there, back) = (try Place(to), try Place(from))
    _ = try StoreCopy(from: place.open(), to: there.open()).run(replacing: false)
    if to == .json || to == .plist { #expect(marks(there) == 3, "\(there.text)") }
    // The same, with every record changed on the way.
    try there.open().write { transaction in
      for var item in try transaction.items() {
        item.text += "!"
        try transaction.update(item)
      }
      for var item in try transaction.items() {
        item.text.removeLast()
        try transaction.update(item)
      }
    }
    _ = try StoreCopy(from: there.open(), to: back.open()).run(replacing: false)
    #expect(back.text == place.text)
  }

  @Test("tens of thousands of keys in one record are read and kept", arguments: Format.texts)
  func many(format: Format) throws {
    let place = try place(format)
    let keys = (0..<40_000).map { format == .json ? "\"k\($0)\":\($0)" : "<key>k\($0)</key><integer>\($0)</integer>" }
    let (mark, more) =
      format == .json
      ? (#""text":"Item 1""#, keys.joined(separator: ",") + #","text":"Item 1""#)
      : ("<key>Text</key><string>Item 1</string>", keys.joined() + "<key>Text</key><string>Item 1</string>")
    try place.replace(mark, with: more)
    try place.open().write { transaction in
      var item = try Check.present(transaction.item(id: 1)).item
      item.text = "Other"
      try transaction.update(item)
    }
    #expect(place.text.contains(keys.joined(separator: format == .json ? "," : "")))
    try place.replace("k39999", with: "k0")
    #expect(try place.refusal().message.contains("duplicate key \"k0\""))
  }

  private func marks(_ place: Place) -> Int { place.text.matches(of: /x-mark/).count }

  // A store whose list and two items have unknown fields.
  private func place(_ format: Format) throws -> Place {
    let place = try Place(format)
    let drafts = (1...3).map { ItemDraft(text: "Item \($0)") }
    _ = try place.belfry().add(drafts, to: ListChoice("Home", createsMissing: true))
    if format == .json {
      try place.replace(#""name":"Home""#, with: #""name":"Home","x-mark":{"a":[null,1.50]}"#)
      for text in ["Item 2", "Item 3"] {
        try place.replace("\"text\":\"\(text)\"", with: "\"text\":\"\(text)\",\"x-mark\":12345678901234567890")
      }
    } else {
      let key = "<key>x-mark</key>"
      try place.replace("<string>Home</string><key>CreatedAt", with: "<string>Home</string>\(key)<true/><key>CreatedAt")
      for text in ["Item 2", "Item 3"] {
        try place.replace(
          "<string>\(text)</string>",
          with: "<string>\(text)</string>\(key)<array><data>AAEC</data><real>1.5</real></array>")
      }
    }
    // A record that is written again has its unknown fields after the known ones.
    try place.open().write { transaction in
      for var list in try transaction.lists() {
        list.updatedAt += 60
        try transaction.update(list)
      }
      for var item in try transaction.items() {
        item.updatedAt += 60
        try transaction.update(item)
      }
      try transaction.acknowledgeEdits()
    }
    #expect(marks(place) == 3)
    return place
  }
}
