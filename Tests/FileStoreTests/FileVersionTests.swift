import BelfryModel
import BelfryTestKit
import Foundation
import Testing

@Suite("Versions of the file")
struct FileVersionTests {
  @Test("a newer file is refused by every call and stays as it is", arguments: Format.texts)
  func newer(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 2)
    let old = format == .json ? "\"version\":1" : "<key>Version</key><integer>1</integer>"
    try place.replace(old, with: old.replacing("1", with: "2"))
    // The rest of a newer version's file is not checked.
    try place.replace("Item 2", with: "Item 2 \u{1}")
    let before = place.data
    for work in [
      { _ = try place.open().records() }, { try place.open().write { _ = try $0.addSampleList() } },
      { _ = try place.open().damage() }, { _ = try place.open().info() },
    ] {
      let error = try #require(throws: BelfryError.self) { try work() }
      #expect(
        error.kind == .storeFailed && error.message.contains("newer Belfry (version 2, this one knows 1)"), "\(error)")
      #expect(error.message.contains(place.file))
    }
    #expect(place.data == before)
  }

  @Test("a version that is none is refused", arguments: ["0", "-1", "1.5", "\"1\"", "null", "99999999999999999999"])
  func wrong(version: String) throws {
    let place = try Place(.json)
    try place.fill(items: 1)
    try place.replace("\"version\":1", with: "\"version\":\(version)")
    #expect(try place.refusal().kind == .storeFailed)
  }

  @Test("tags and priority that an earlier Belfry kept as properties are fields", arguments: [Format.json])
  func fields(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 1)
    try place.replace(
      "\"text\":\"Item 1\"",
      with: "\"text\":\"Item 1\",\"properties\":[\"CATEGORIES:a,at home\",\"PRIORITY:4\",\"X-A:1\"]")
    let item = try #require(try place.open().read { try $0.item(id: 1)?.item })
    #expect(item.tags == (try ItemTags(["a"])) && item.priority == ItemPriority(number: 4))
    #expect(item.properties == ["CATEGORIES:at home", "X-A:1"])
  }

  @Test("the way back from one change, as an earlier Belfry kept it, still leads back")
  func undo() throws {
    let place = try Place(.json)
    try place.fill(items: 2)
    _ = try place.belfry().delete([2])
    let record = try #require(try place.open().read { try $0.undoRecords(.undo).first })
    let old = "\(Int64(record.date.timeIntervalSince1970))\n\(record.content)"
    try Data(old.utf8).write(to: URL(filePath: "\(place.file).undo"))
    #expect(try place.open().read { try $0.undoRecords(.undo) } == [record])
    _ = try place.belfry().undo()
    #expect(try place.open().read { try $0.items().count } == 2)
  }

  @Test("the file of version 1 opens, holds what it held, and is written on", arguments: Format.allCases)
  func golden(format: Format) throws {
    let place = try Place(format)
    let fixture = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/version-1.\(format)")
    try place.edit(try Data(contentsOf: fixture))
    #expect(try RecordSet(place.open().records()) == RecordSet(Sample.everythingOfVersion1()))
    #expect(try place.open().info().version == 1)
    try place.open().write { _ = try $0.addSampleItem("next", to: 1) }
    #expect(try place.open().read { try $0.item(id: 9_007_199_254_740_993)?.item.text } == "next")
    #expect(try place.open().records().count == 45)
  }
}
