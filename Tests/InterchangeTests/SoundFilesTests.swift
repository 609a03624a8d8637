import BelfryModel
import Foundation
import Interchange
import Testing

@Suite("Files of the apps")
struct SoundFilesTests {
  private static let due = Date(timeIntervalSince1970: 1_795_248_042)

  private func read(_ name: String, _ format: String, as wanted: ImportFormat? = nil) throws -> AppFileContent {
    try AppFile.read(Fixtures.data(name, format), format: wanted, defaultListName: "Inbox")
  }

  @Test(
    "a Checklists archive is read under any module name",
    arguments: ["archive", "archive-other-module", "archive-objc", "archive-mangled"], Fixtures.formats)
  func archive(name: String, format: String) throws {
    let document = try read(name, format)
    #expect(document.format == .checklists)
    #expect(document.refused == [])
    #expect(
      document.lists == [
        AppFileContent.List(
          name: "Groceries",
          items: [
            ImportedItem(
              itemID: 0, text: "Buy milk", due: .instant(Self.due), shouldRemind: true,
              place: "list 'Groceries', item 1"),
            ImportedItem(
              itemID: 1, text: "Café crème", isChecked: true, due: .instant(Self.due), place: "list 'Groceries', item 2"
            ),
            ImportedItem(
              itemID: 2, text: "Call mum", notes: "about Sunday\nand the cake", place: "list 'Groceries', item 3"),
          ]),
        AppFileContent.List(
          name: "Work",
          items: [
            ImportedItem(
              itemID: 3, text: "Report", due: .instant(Date(timeIntervalSince1970: 1_388_534_400)), shouldRemind: true,
              place: "list 'Work', item 1")
          ]),
        AppFileContent.List(name: "Empty"),
      ])
  }

  @Test("an archive of items without lists goes onto the default list", arguments: Fixtures.formats)
  func archiveOfItems(format: String) throws {
    let document = try read("archive-items", format)
    #expect(document.lists.map(\.name) == ["Inbox"])
    #expect(document.lists[0].items.map(\.text) == ["Walk the dog", "Brush teeth"])
    #expect(document.lists[0].items.map(\.isChecked) == [false, true])
    #expect(document.lists[0].items.allSatisfy { $0.itemID == nil && $0.due == nil && !$0.shouldRemind })
  }

  @Test("numbers and truth values may be objects of their own", arguments: Fixtures.formats)
  func boxedNumbers(format: String) throws {
    let item = try #require(try read("archive-boxed", format).lists.first?.items.first)
    #expect(item.isChecked)
    #expect(item.itemID == 7)
    #expect(item.shouldRemind)
  }

  @Test("the plain property list of the Codable editions is read", arguments: Fixtures.formats)
  func codable(format: String) throws {
    let document = try read("codable", format)
    #expect(document.format == .checklists)
    #expect(document.refused == [])
    #expect(document.lists.map(\.name) == ["Groceries", "Empty"])
    #expect(
      document.lists[0].items == [
        ImportedItem(
          itemID: 0, text: "Buy milk", due: .instant(Self.due), shouldRemind: true, place: "list 'Groceries', item 1"),
        ImportedItem(
          itemID: 1, text: "Eggs", isChecked: true, due: .instant(Self.due), place: "list 'Groceries', item 2"),
      ])
  }

  @Test("Codable items without lists go onto the default list", arguments: Fixtures.formats)
  func codableItems(format: String) throws {
    let document = try read("codable-items", format)
    #expect(document.lists.map(\.name) == ["Inbox"])
    #expect(document.lists[0].items.map(\.text) == ["Walk the dog", "Brush teeth"])
    #expect(document.lists[0].items[1].isChecked)
  }

  @Test("a file of no lists is read as none", arguments: ["archive-empty", "codable-empty"], Fixtures.formats)
  func empty(name: String, format: String) throws {
    #expect(try read(name, format) == AppFileContent(format: .checklists))
  }

  @Test("a shopping list is an unchecked item for each text", arguments: Fixtures.formats)
  func shoppingList(format: String) throws {
    let document = try read("shopping", format)
    #expect(document.format == .shoppingList)
    #expect(
      document.lists == [
        AppFileContent.List(
          name: "Inbox",
          items: [
            ImportedItem(text: "Milk", place: "item 1"), ImportedItem(text: "Bread", place: "item 2"),
            ImportedItem(text: "Café ☕️", place: "item 3"),
          ])
      ])
  }

  @Test(
    "todo items keep their UUIDs and come by deadline, from the dictionary or the whole defaults",
    arguments: ["todo-items", "todo-defaults"], Fixtures.formats)
  func todoItems(name: String, format: String) throws {
    let document = try read(name, format)
    #expect(document.format == .todoItems)
    #expect(document.refused == [])
    #expect(document.lists.map(\.name) == ["Inbox"])
    #expect(document.lists[0].items.map(\.text) == ["Sooner", "Later"])
    #expect(
      document.lists[0].items.map(\.uuid?.uuidString) == [
        "0F0E0D0C-0B0A-4908-8706-050403020100", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
      ])
    #expect(document.lists[0].items[0].due == .instant(Self.due))
    #expect(document.lists[0].items.allSatisfy { $0.shouldRemind && !$0.isChecked })
  }

  @Test("the format is known by the content, and asking for it by name gives the same", arguments: Fixtures.formats)
  func detection(format: String) throws {
    let expected: [(String, ImportFormat?)] = [
      ("archive", .checklists), ("archive-items", .checklists), ("codable", .checklists),
      ("codable-items", .checklists),
      ("codable-empty", .checklists), ("shopping", .shoppingList), ("todo-items", .todoItems),
      ("todo-defaults", .todoItems), ("part-shopping", .shoppingList), ("bad-dictionary", nil), ("bad-number", nil),
      ("bad-numbers", nil), ("bad-other-root", .checklists),
    ]
    for (name, kind) in expected {
      #expect(try AppFile.detect(Fixtures.data(name, format)) == kind, "\(name)")
      if let kind, !name.hasPrefix("bad") {
        #expect(try read(name, format, as: kind) == read(name, format), "\(name)")
      }
    }
    #expect(AppFile.detect(Data("{\"format\":\"belfry-store\"}".utf8)) == nil)
    #expect(AppFile.detect(Data("BEGIN:VCALENDAR".utf8)) == nil)
    #expect(AppFile.detect(Data()) == nil)
  }

  @Test("formats have the names that --format takes")
  func formatNames() {
    #expect(ImportFormat.allCases.suffix(3).map(\.rawValue) == ["checklists", "shopping-list", "todo-items"])
  }
}
