import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import PropertyLists
import TestSupport
import Testing

@testable import Interchange

@Suite("Exports as a property list")
struct PlistExportTests {
  private func store() throws -> Belfry {
    let belfry = Contents.belfry()
    let draft = ItemDraft(text: "Tea & <cake>", due: WallTime(parsing: "2026-12-24T18:30"), shouldRemind: true)
    _ = try belfry.add([draft, ItemDraft(text: "Überfluß")], to: ListChoice("Party", createsMissing: true))
    return belfry
  }

  @Test("another reader of property lists finds the texts, truth values and dates, under the keys of the apps")
  func python() throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let file = folder.file("lists.plist")
    try Data(Contents.exported(store(), as: .propertyList).utf8).write(to: URL(filePath: file))
    let program = """
      import plistlib, sys
      store = plistlib.load(open(sys.argv[1], 'rb'))
      print(store['Format'], store['Version'], [each['Name'] for each in store['Lists']])
      for item in store['Items']:
          print(item['ItemID'], item['Text'], item['Checked'], item['ShouldRemind'], item.get('DueDate'), item.get('DueLocal'))
      """
    #expect(
      try Python.run(program, [file]) == """
        belfry-store 1 ['Party']
        1 Tea & <cake> False True 2026-12-24 17:30:00 2026-12-24T18:30
        2 Überfluß False False None None

        """)
  }

  @Test("it is read back in either encoding, and a text that it cannot keep is refused by name")
  func encodings() throws {
    let text = try Contents.exported(store(), as: .propertyList)
    let binary = try PropertyList(parsing: text.utf8).binary()
    for bytes in [Array(text.utf8), Array(binary)] {
      let entries = try Contents.entries(bytes, nil)
      #expect(entries.items.map(\.text) == ["Tea & <cake>", "Überfluß"] && entries.lists == ["Party", "Party"])
      #expect(entries.headings.map(\.name) == ["Party"] && entries.refusals == [])
    }
    let belfry = Contents.belfry()
    _ = try belfry.add([ItemDraft(text: "a", notes: "b\u{FFFE}")], to: ListChoice("Party", createsMissing: true))
    let error = #expect(throws: BelfryError.self) { try Contents.exported(belfry, as: .propertyList) }
    #expect(error?.message.hasPrefix("item 1 has a \"Notes\" that cannot be stored in a property list: ") == true)
  }

  @Test("a record that cannot be read is refused with its line, and a file of a newer version as a whole")
  func damaged() throws {
    let text = try Contents.exported(store(), as: .propertyList)
    let entries = try Contents.entries(
      text.replacing("<key>DueLocal</key><string>2026", with: "<key>DueLocal</key><string>soon"), nil)
    #expect(entries.items.map(\.text) == ["Überfluß"])
    let line = text[..<(text.firstRange(of: "Tea")?.lowerBound ?? text.startIndex)].count { $0 == "\n" } + 1
    #expect(entries.refusals.first?.hasPrefix("line \(line): its DueLocal: ") == true, "\(entries.refusals)")
    for (old, new) in [
      ("<key>Version</key><integer>1<", "<key>Version</key><integer>2<"), ("</plist>", ""), ("belfry-store", "store"),
    ] {
      #expect(throws: ImportError.self) { try Contents.entries(text.replacing(old, with: new), .propertyList) }
    }
  }
}
