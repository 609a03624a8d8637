import BelfryModel
import Foundation
import Interchange
import Testing

@Suite("Hostile files")
struct HostileFilesTests {
  private func outcome(_ data: Data) -> String {
    do {
      let document = try AppFile.read(data, format: nil, defaultListName: "Inbox")
      return document.refused.isEmpty ? "read" : "read in part"
    } catch {
      return "refused"
    }
  }

  private func xmlArchive(_ objects: [String]) -> Data {
    let all = ["<string>$null</string>"] + objects
    return Data(
      """
      <plist version="1.0"><dict><key>$top</key><dict><key>Checklists</key>\(reference(1))</dict>
      <key>$objects</key><array>\(all.joined())</array></dict></plist>
      """.utf8)
  }

  private func reference(_ number: Int) -> String { "<dict><key>CF$UID</key><integer>\(number)</integer></dict>" }

  private func array(_ elements: [Int]) -> String {
    """
    <dict><key>$class</key>\(reference(2))<key>NS.objects</key><array>\(elements.map(reference).joined())</array></dict>
    """
  }

  private static let classes = ["NSArray", "Checklist", "ChecklistItem"].map {
    "<dict><key>$classname</key><string>\($0)</string></dict>"
  }

  @Test(
    "a file cut anywhere is refused", arguments: ["archive", "codable", "shopping", "todo-items"], Fixtures.formats)
  func truncation(name: String, format: String) throws {
    let data = try Fixtures.data(name, format)
    #expect(outcome(data) == "read")
    let end = format == "xml" ? data.count - 1 : data.count
    for length in 0..<end {
      #expect(outcome(data.prefix(length)) == "refused", "\(length)")
    }
  }

  @Test(
    "a file with any bit flipped is read, read in part or refused", arguments: ["archive-boxed", "part-shopping"],
    Fixtures.formats)
  func bitFlips(name: String, format: String) throws {
    let data = try Fixtures.data(name, format)
    var outcomes: [String: Int] = [:]
    for index in data.indices {
      var changed = data
      changed[index] ^= 1 << UInt8(index % 8)
      outcomes[outcome(changed), default: 0] += 1
    }
    #expect(outcomes["refused", default: 0] > 10)
    #expect(outcomes["read in part", default: 0] > 10)
  }

  @Test("lists that all hold the same many items take no more time than the file is long")
  func sharedItems() throws {
    let items = (0..<3_000).map { _ in
      "<dict><key>$class</key>\(reference(4))<key>Text</key><string>x</string><key>Checked</key><false/></dict>"
    }
    let lists = (0..<3_000).map { _ in
      "<dict><key>$class</key>\(reference(3))<key>Name</key><string>L</string><key>Items</key>\(reference(5))</dict>"
    }
    let firstItem = 6
    let firstList = firstItem + items.count
    let data = xmlArchive(
      [array(Array(firstList..<(firstList + lists.count)))] + Self.classes
        + [array(Array(firstItem..<(firstItem + items.count)))] + items + lists)
    let document = try AppFile.read(data, format: nil, defaultListName: "Inbox")
    #expect(document.lists.count == 1)
    #expect(document.lists.first?.items.count == 3_000)
    #expect(document.refused.count == 2_999)
    #expect(document.refused.first?.reason == "the Items of 'L': it is a duplicate reference to one object")
  }

  @Test("a text or date that leads back to itself is refused by name")
  func cycles() throws {
    let document = try AppFile.read(
      xmlArchive(
        [array([5, 6, 1])] + Self.classes
          + [
            "<dict><key>$class</key>\(reference(3))<key>Name</key>\(reference(7))<key>Items</key>\(reference(1))</dict>",
            "<dict><key>$class</key>\(reference(3))<key>Name</key><string>A</string><key>Items</key>\(reference(6))</dict>",
            "<dict><key>$class</key>\(reference(8))<key>NS.string</key>\(reference(7))</dict>",
            "<dict><key>$classname</key><string>NSString</string></dict>",
          ]), format: nil, defaultListName: "Inbox")
    #expect(document.lists == [])
    #expect(
      document.refused.map(\.reason) == [
        "its Name: it is of class 'NSString' without a value of a known kind",
        "the Items of 'A': it is of class 'Checklist', not an array", "it is of class 'NSArray', not a Checklist",
      ])
  }

  @Test("nesting of 100,000 levels is refused in both forms")
  func deepNesting() {
    let xml = "<plist>\(String(repeating: "<array>", count: 100_000))"
    #expect(outcome(Data(xml.utf8)) == "refused")
    var binary = Data("bplist00".utf8)
    var offsets = Data()
    for number in UInt32(1)...100_000 {
      withUnsafeBytes(of: UInt32(binary.count).bigEndian) { offsets.append(contentsOf: $0) }
      binary.append(0xA1)
      withUnsafeBytes(of: min(number, 99_999).bigEndian) { binary.append(contentsOf: $0) }
    }
    let table = UInt64(binary.count)
    binary.append(offsets)
    binary.append(contentsOf: [0, 0, 0, 0, 0, 0, 4, 4])
    for number in [100_000, 0, table] { withUnsafeBytes(of: number.bigEndian) { binary.append(contentsOf: $0) } }
    #expect(outcome(binary) == "refused")
  }

  @Test("the text of an item becomes one line and notes, or is refused")
  func texts() throws {
    let cases: [(String, String, String)] = [
      ("Milk", "Milk", ""), (" Milk ", " Milk ", ""), ("\n\n Milk\n", " Milk", ""),
      ("a\u{2028}b\u{85}c\rd", "a", "b\nc\nd"),
      ("a\r\n\r\n b ", "a", "\n b "), ("a\tb\u{1B}", "a\tb\u{1B}", ""), ("e\u{301}", "e\u{301}", ""),
      ("👩‍👩‍👧\nb", "👩‍👩‍👧", "b"),
    ]
    for (raw, text, notes) in cases {
      let escaped = raw.unicodeScalars.map { "&#\($0.value);" }.joined()
      let document = try AppFile.read(
        Data("<plist><array><string>\(escaped)</string></array></plist>".utf8), format: nil, defaultListName: "Inbox")
      let item = try #require(document.lists.first?.items.first)
      #expect(item.text.unicodeScalars.elementsEqual(text.unicodeScalars), "\(raw.debugDescription)")
      #expect(item.notes?.unicodeScalars.elementsEqual(notes.unicodeScalars) == true, "\(raw.debugDescription)")
    }
    for (raw, reason) in [
      ("a\u{0}b", "its text holds a NUL character"), ("\u{0}", "its text holds a NUL character"),
      ("", "its text is empty"),
      (" \u{3000}\t", "its text is empty"), ("\n \r\n", "its text is empty"),
    ] {
      let document = try AppFile.read(
        Data("<plist><array><string>ok</string><string>\(raw)</string></array></plist>".utf8), format: nil,
        defaultListName: "Inbox")
      #expect(document.refused == [ImportRefusal(place: "item 2", reason: reason)])
      #expect(document.lists.first?.items.map(\.text) == ["ok"])
    }
  }

  @Test("names in messages can do a terminal no harm")
  func placesAreSafe() throws {
    let name = "\u{1B}[31m\u{202E}" + String(repeating: "long ", count: 100)
    let body = "<dict><key>name</key><string>\(name)</string><key>items</key><array><integer>1</integer></array></dict>"
    let document = try AppFile.read(
      Data("<plist><array>\(body)</array></plist>".utf8), format: nil, defaultListName: "Inbox")
    let place = try #require(document.refused.first?.place)
    #expect(place.hasPrefix("list '\\u{1B}[31m\\u{202E}long long "))
    #expect(place.hasSuffix("…', item 1"))
    #expect(place.count < 90)
  }
}
