import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Files with faults")
struct DamagedFilesTests {
  private func read(_ name: String, _ format: String) throws -> AppFileContent {
    try AppFile.read(Fixtures.data(name, format), format: nil, defaultListName: "Inbox")
  }

  @Test("entries of an archive that cannot be taken are named, the rest comes", arguments: Fixtures.formats)
  func partOfArchive(format: String) throws {
    let document = try read("part-archive", format)
    #expect(document.lists.map(\.name) == ["Mine", "Recursive", "Other", "Two lines"])
    #expect(document.lists[0].items.map(\.text) == ["Good", "Far", "On two lists", "Last"])
    #expect(document.lists[0].items.map(\.itemID) == [1, 5, 2, 1])
    let expected = [
      "list 'Mine', item 2: it has no Text", "list 'Mine', item 3: its Text is a whole number, not text",
      "list 'Mine', item 4: its Text is empty", "list 'Mine', item 5: its Text is empty",
      "list 'Mine', item 6: its DueDate is before 1970", "list 'Mine', item 7: its DueDate is not a date but nan",
      "list 'Mine', item 9: its DueDate is after 9999", "list 'Mine', item 10: its ItemID is -1, which is less than 0",
      "list 'Mine', item 11: its Checked is a whole number, not a truth value",
      "list 'Mine', item 12: its Checked is text, not a truth value",
      "list 'Mine', item 13: its DueDate is text, not a date",
      "list 'Mine', item 14: its ItemID is text, not a whole number",
      "list 'Mine', item 15: it is of class 'UIKit.UIButton', not a ChecklistItem",
      "list 'Mine', item 16: its Text: it refers to object 99999, which is not in the archive",
      "list 'Mine', item 17: it refers to object 99999, which is not in the archive",
      "list 'Mine', item 18: it is null, not a ChecklistItem",
      "list 'Mine', item 19: it is a duplicate reference to one object",
      "list 'Mine', item 21: it is of class 'NSArray', not a ChecklistItem",
      "list 'Mine', item 22: it is text, not a ChecklistItem",
      "list 'Mine', item 23: it is of no class, not a ChecklistItem", "list 'Mine', item 25: it has no Checked",
      "list 2: it has no Name", "list 3: 'Itemless' has no Items",
      "list 4: the Items of 'Mistyped': it is text, not an array",
      "list 'Recursive', item 1: it is a duplicate reference to one object",
      "list 'Other', item 1: it is a duplicate reference to one object", "list 7: its Name is empty",
      "list 9: it is a duplicate reference to one object",
      "list 10: it is a duplicate reference to one object",
      "list 11: it is of class 'NSArray', not a Checklist",
    ]
    #expect(document.refused.map { "\($0.place): \($0.reason)" } == expected)
  }

  @Test("entries of a plain property list that cannot be taken are named, the rest comes", arguments: Fixtures.formats)
  func partOfCodable(format: String) throws {
    let document = try read("part-codable", format)
    #expect(document.lists.map(\.name) == ["Mine"])
    #expect(document.lists[0].items.map(\.text) == ["Good"])
    #expect(
      document.refused.map { "\($0.place): \($0.reason)" } == [
        "list 'Mine', item 2: it has no text", "list 'Mine', item 3: its text is a whole number, not text",
        "list 'Mine', item 4: it has no checked", "list 'Mine', item 5: it is text, not a dictionary",
        "list 'Mine', item 6: its dueDate is a number, not a date", "list 2: 'Itemless' has no items",
        "list 3: it has no name", "list 4: the items of 'Mistyped': it is a dictionary, not an array",
        "list 5: it is text, not a dictionary",
      ])
  }

  @Test("numbers of more than 63 bits are told as too large, where Belfry keeps a number, and do no harm elsewhere")
  func largeNumbers() throws {
    let file = """
      <plist version="1.0"><array>
      <dict><key>itemID</key><integer>9223372036854775808</integer><key>text</key><string>a</string>
      <key>checked</key><false/></dict>
      <dict><key>itemID</key><integer>1</integer><key>text</key><string>b</string><key>checked</key><false/>
      <key>other</key><integer>18446744073709551615</integer></dict>
      </array></plist>
      """
    let document = try AppFile.read(Data(file.utf8), format: nil, defaultListName: "Inbox")
    #expect(document.lists.flatMap(\.items).map(\.text) == ["b"])
    #expect(
      document.refused.map(\.reason) == ["its itemID is 9223372036854775808, which is too large"])
  }

  @Test("entries of a shopping list that cannot be taken are named, the rest comes", arguments: Fixtures.formats)
  func partOfShoppingList(format: String) throws {
    let document = try read("part-shopping", format)
    #expect(document.lists.first?.items.map(\.text) == ["Milk", "Bread"])
    #expect(document.lists.first?.items.map(\.notes) == ["", "rye"])
    #expect(
      document.refused.map { "\($0.place): \($0.reason)" } == [
        "item 2: it is a whole number, not text", "item 3: its text is empty", "item 4: it is an array, not text",
      ])
  }

  @Test("todo items that cannot be taken are named, the rest comes", arguments: Fixtures.formats)
  func partOfTodoItems(format: String) throws {
    let document = try read("part-todo", format)
    #expect(document.lists.first?.items.map(\.text) == ["Good", "Whenever"])
    #expect(document.lists.first?.items.map(\.shouldRemind) == [true, false])
    #expect(
      document.refused.map { "\($0.place): \($0.reason)" } == [
        "item '0F0E0D0C-0B0A-4908-8706-050403020100': its UUID differs from its key",
        "item 'no-uuid': its key is not a UUID",
        "item '00000000-0000-4000-8000-000000000001': it has no title",
        "item '00000000-0000-4000-8000-000000000002': its deadline is text, not a date",
        "item '00000000-0000-4000-8000-000000000003': it is text, not a dictionary",
      ])
  }

  @Test("a file whose frame is wrong is refused with what was expected", arguments: Fixtures.formats)
  func wholeFiles(format: String) throws {
    let expected = [
      "bad-no-objects": "has no array $objects", "bad-no-top": "has no dictionary $top",
      "bad-mistyped-frame": "has no dictionary $top", "bad-empty-top": "ChecklistItems in $top, found nothing",
      "bad-other-root": "ChecklistItems in $top, found 'root'", "bad-other-archiver": "but of NRKeyedArchiver",
      "bad-root-missing": "refers to object 7, which is not in the archive",
      "bad-root-null": "it is null, not an array",
      "bad-root-class": "it is of class 'Checklists.ChecklistItem', not an array",
      "bad-root-text": "it is text, not an array",
      "bad-root-loop": "it refers to a reference",
      "bad-dictionary": "holds a dictionary with 'name', which is neither a Checklists file",
      "bad-number": "holds a whole number, which is neither",
      "bad-numbers": "holds an array that starts with a whole number, which is neither",
      "bad-todo-array": "has todoItems, but as an array, not a dictionary",
    ]
    #expect(Set(expected.keys) == Set(Fixtures.names("bad-")))
    for (name, words) in expected {
      let error = #expect(throws: ImportError.self, "\(name)") { try read(name, format) }
      #expect(error?.message.contains(words) == true, "\(name): \(String(describing: error))")
    }
  }

  @Test("a file of another format than the one asked for is refused")
  func otherFormat() throws {
    let cases: [(String, ImportFormat, String)] = [
      ("archive", .shoppingList, "is not a shopping list: expected an array of texts, found a dictionary with"),
      (
        "shopping", .todoItems,
        "is not a todoItems dictionary: expected a dictionary, found an array that starts with text"
      ),
      ("todo-items", .checklists, "is not a Checklists file: expected an archive or an array, found a dictionary with"),
    ]
    for (name, format, words) in cases {
      let data = try Fixtures.data(name, "bin")
      let error = #expect(throws: ImportError.self) {
        try AppFile.read(data, format: format, defaultListName: "Inbox")
      }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
  }

  @Test("an invalid property list is refused with the place of the fault")
  func noPropertyList() throws {
    let cases: [(String, String)] = [
      ("", "byte 0: the file is empty"), ("Milk\nBread\n", "byte 0: is not a property list"),
      ("<plist>\n<array>\n<string>x</array></plist>", "line 3, column 10: expected </string>, found </array>"),
      ("<plist><array/></plist>\nPS", "line 2, column 1: expected the end of the file"),
    ]
    for (text, start) in cases {
      let error = #expect(throws: ImportError.self) {
        try AppFile.read(Data(text.utf8), format: nil, defaultListName: "Inbox")
      }
      #expect(error?.message.hasPrefix(start) == true, "\(String(describing: error))")
    }
  }

  @Test("an archive of other classes is refused for what it is", arguments: Fixtures.foreign)
  func foreignArchives(archive: Fixtures.Archive) throws {
    #expect(AppFile.detect(archive.data) == .checklists)
    let error = #expect(throws: ImportError.self) {
      try AppFile.read(archive.data, format: nil, defaultListName: "Inbox")
    }
    #expect(error?.message.hasPrefix("is an archive, but not of a Checklists app") == true)
  }

  @Test("our own archives of other classes are there, those of the corpus all or not at all")
  func foreignArchivesAreThere() { #expect(Fixtures.foreign.count == (Corpus.isThere ? 62 : 16)) }
}
