import Foundation
import Testing

@testable import Interchange

@Suite("Formats known by their content")
struct DetectionTests {
  private func format(_ text: String, _ name: String? = nil) throws -> ImportFormat? {
    try FormatDetection.format(of: ByteSource(text.utf8), fileName: name)
  }

  @Test(
    "each format is known by how it begins",
    arguments: [
      ("{\"format\":\"belfry-store\",\"version\":1", ImportFormat.belfry),
      (" \n{ \"version\":1,\"format\" : \"belfry-store\"", .belfry),
      ("[{\"id\":1,\"is_checked\":false}]", .belfry), ("BEGIN:VCALENDAR\r\n", .calendar),
      ("\u{FEFF}\n begin:vcalendar", .calendar), ("[\n{\"description\":\"x\"}]", .taskwarrior),
      ("{\"items\":[{\"status\":\"needsAction\"}]}", .googleTasks),
      ("{\"uuid\":\"1\",\"description\":\"x\"}\n", .taskwarrior), ("[\n]\n", .taskwarrior),
      ("Buy milk\n(A) Call Anna\n", .todoTxt), ("x 2026-11-20 done\n", .todoTxt), ("Buy milk +Groceries", .todoTxt),
      ("Pay due:2026-12-24", .todoTxt), ("2026-11-20 Buy milk", .todoTxt), ("Buy milk @shop", .todoTxt),
    ])
  func known(text: String, expected: ImportFormat) throws {
    #expect(try format(text) == expected)
    #expect(try format(text, "whatever.json") == expected)
  }

  @Test("the name tells where the content does not, and never against it")
  func names() throws {
    #expect(try format("Buy milk\nCall Anna\n", "/tmp/Todo.TXT") == .todoTxt)
    #expect(try format("BEGIN:VCALENDAR", "todo.txt") == .calendar)
    #expect(throws: ImportError.self) { try format("Buy milk\n", "todo.md") }
    #expect(throws: ImportError.self) { try format("Buy\0milk\n", "todo.txt") }
  }

  @Test(
    "what is none of ours is refused with one clear error",
    arguments: [
      "Dear Anna,\nhow are you?\n", "{\"a\":1}", "[1,2]", "\0\0\0", "%PDF-1.7 (A)", "1 + 1 = 2\n", "a@b.ch\n",
    ])
  func unknown(text: String) throws {
    let error = #expect(throws: ImportError.self) { try format(text) }
    #expect(
      error?.message.contains(ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")) == true)
    #expect(try Contents.entries("<plist><array><string>Milk</string></array></plist>").items.map(\.text) == ["Milk"])
  }

  @Test("text in UTF-16 or UTF-32 is told as that, with or without a mark, and other bytes are not taken for it")
  func wideTexts() throws {
    for text in ["BEGIN:VCALENDAR\r\n", "(A) Call Anna\n", "TYPE,CONTENT,DESCRIPTION,PRIORITY\n", "[]"] {
      for encoding in [
        String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
      ] {
        let bytes = ByteSource(try #require(text.data(using: encoding)))
        let error = #expect(throws: ImportError.self) { try FormatDetection.format(of: bytes, fileName: "todo.txt") }
        #expect(error?.message.hasPrefix("is in UTF-16 or UTF-32: convert it") == true, "\(text) \(encoding)")
      }
    }
    let packed = ByteSource([0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00] as [UInt8])
    let error = #expect(throws: ImportError.self) { try FormatDetection.format(of: packed, fileName: nil) }
    #expect(error?.message.hasPrefix("is not in a format") == true)
  }

  @Test("a table of a to-do program is never taken for todo.txt, whatever its name and its marks")
  func tables() throws {
    let rows = "task,Ring Anna @phone,,1\n(A) x\n"
    for text in ["TYPE,CONTENT,DESCRIPTION,PRIORITY\n" + rows, "\u{FEFF}\"type\",\"content\"\r\n" + rows] {
      #expect(try format(text) == .todoist && format(text, "todo.txt") == .todoist)
    }
    let backup = "\"Date: 2026-11-20+0000\"\n\"Version: 7.1\"\n\"Folder Name\",\"List Name\",\"Title\"\n" + rows
    #expect(try format(backup) == .tickTick && format(backup, "todo.txt") == .tickTick)
    let outlook = "\"Subject\",\"Start Date\",\"Due Date\",\"% Complete\"\r\n" + rows
    #expect(try format(outlook) == .outlook && format(outlook, "todo.txt") == .outlook)
    let google = "{\n \"kind\": \"tasks#taskLists\",\n \"items\": [ {\"description\": \"(A) @x\"}"
    #expect(try format(google) == .googleTasks && format(google, "todo.txt") == .googleTasks)
    for header in ["\"Betreff\";\"Fällig am\"", "\"Name\",\"Done\"", "\"Name\"\t\"Done\""] {
      #expect(throws: ImportError.self) { try format("\(header)\n\(rows)") }
      #expect(throws: ImportError.self) { try format("\(header)\n\(rows)", "todo.txt") }
    }
    #expect(try format("\"Call\" Anna, then \"Ben\" @phone\n") == .todoTxt)
  }

  @Test(
    "a table with a header is refused by name, and not taken for todo.txt by a mark in it or by the file's name",
    arguments: [
      "Name,Due,Tags\nMilk,2026-01-01,@home\n", "Task;Who\nRing Anna @phone;Ben\n", "Task\tWho\nRing @phone\tBen\n",
      "Name, Due, Tags\nMilk, 2026-01-01, @home\n", ",Name,Tags\n0,\"Milk, bread\",@home\n",
      "Name,Notes\nMilk,\"two\nlines @home\"\n", "# Shopping\n\n| Task | Where |\n|:--|---|\n| Milk | @shop |\n",
      "Task | Where\n--- | ---\nMilk | @shop\n", " id | text\n----+------\n  1 | Milk @shop\n",
    ])
  func foreignTables(text: String) throws {
    for name in [nil, "todo.txt"] {
      let error = #expect(throws: ImportError.self) { try format(text, name) }
      #expect(error?.message.contains("is the header of a table that Belfry does not know") == true, "\(text)")
      #expect(error?.message.contains("todoist, ticktick and outlook") == true)
    }
    #expect(try !Contents.entries(text, .todoTxt).items.isEmpty)
  }

  @Test(
    "tasks with commas and bars are no table",
    arguments: [
      "Buy milk, eggs\nSugar, salt @shop\n", "Milk,eggs @shop\nBread,butter\n", "Milk, eggs, bread\n(A) Call Anna\n",
      "(A) Milk,eggs\nBread,butter\n", "Ring Anna | Ben @phone\n----\n",
    ])
  func commas(text: String) throws { #expect(try format(text) == .todoTxt) }

  @Test("Belfry's own table is known by its header, with columns left out too")
  func ownTable() throws {
    #expect(try format(TableWriter.keys.joined(separator: ",") + "\r\n1,,Inbox,Ring @phone\r\n") == .table)
    #expect(try format("text,list,is_checked,\"due_local\"\nRing @phone,Inbox,false,\n", "todo.txt") == .table)
  }

  @Test("an empty file is said to be empty")
  func empty() {
    #expect(throws: ImportError(message: "is empty")) { try Contents.entries("") }
  }

  @Test("a property list is one in any encoding, and its own reader says which")
  func propertyLists() throws {
    #expect(try format("bplist00") == nil)
    #expect(try format("\u{FEFF}<?xml") == nil)
    let utf16 = Data("<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><array/></plist>".data(using: .utf16) ?? Data())
    #expect(try FormatDetection.format(of: ByteSource(utf16), fileName: nil) == nil)
  }

  @Test("formats have the names that --format takes")
  func formatNames() {
    #expect(
      ImportFormat.allCases.map(\.rawValue) == [
        "json", "plist", "ics", "todo.txt", "csv", "taskwarrior", "todoist", "ticktick", "outlook", "google-tasks",
        "checklists", "shopping-list", "todo-items",
      ])
    #expect(ExportFormat.allCases.map(\.rawValue) == ["json", "plist", "ics", "todo.txt", "csv"])
  }
}
