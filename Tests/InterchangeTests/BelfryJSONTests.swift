import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing

@testable import Interchange

@Suite("Belfry's own JSON")
struct BelfryJSONTests {
  private static let head = "{\"format\":\"belfry-store\",\"version\":1,"

  @Test("tags and priority that an earlier Belfry wrote as properties are fields, and an event is left out")
  func formerly() throws {
    let entries = try Contents.entries(
      """
      \(Self.head)"lists":[],"items":[
      {"id":1,"list":"a","text":"b","properties":["CATEGORIES:x,y","PRIORITY:1","X-A:1"]},
      {"id":2,"list":"a","text":"c","properties":["X-BELFRY-EVENT:TRUE"]}]}
      """)
    let item = try #require(entries.items.first)
    #expect(entries.items.count == 1)
    #expect(item.tags == (try ItemTags(["x", "y"])) && item.priority == ItemPriority(number: 1))
    #expect(item.properties == ["X-A:1"])
  }

  @Test("every field of a list, of its reminder and of an item is read")
  func fields() throws {
    let entries = try Contents.entries(
      """
      \(Self.head)"next_id":9,"zone":"Europe/Zurich","lists":[
      {"id":1,"uuid":"a0000000-a000-4000-a000-a00000000000","name":"Home","reminder":{"due_date":"2026-11-22T08:00:00Z",
      "due_local":"2026-11-22T09:00","time_zone":"Europe/Zurich","message":"look","repeat":"FREQ=DAILY",
      "repeat_start":"2026-11-01T09:00","repeat_from":"due","category":"c"},"created_at":"2020-01-01T00:00:00Z",
      "updated_at":"2021-01-01T00:00:00Z"}
      ],
      "items":[
      {"id":8,"uuid":"b0000000-a000-4000-a000-a00000000000","list":"Home","text":"Water","notes":"a\\nb","is_checked":false,
      "due_local":"2026-11-23T18:30","time_zone":"America/New_York","should_remind":true,"alerts":["P1D","PT0S"],
      "repeat":"FREQ=WEEKLY","repeat_start":"2026-11-02T18:30","repeat_from":"done","last_checked_due":"2026-11-16T18:30",
      "last_checked_start":"2026-11-02T18:30","nag":"PT15M","category":"garden","key":"k 1","tags":["a","b"],"priority":3,"properties":["X-A:b"],
      "created_at":"2026-11-01T09:00:00+01:00","updated_at":"2026-11-02T09:00:00+01:00","checked_at":null},
      {"text":"bare"}
      ],
      "reminders":[{"reminder_id":"x"}],"messages":[],"deliveries":[],"other":{"a":[1]}}
      """)
    let list = try #require(entries.headings.first)
    #expect(list.name == "Home" && list.uuid?.text == "a0000000-a000-4000-a000-a00000000000")
    #expect(list.reminder?.draft.message == "look" && list.reminder?.draft.category == "c")
    #expect(list.reminder?.repeatStart == WallTime(parsing: "2026-11-01T09:00"))
    #expect(list.createdAt == parseRFC3339("2020-01-01T00:00:00Z"))
    let item = try #require(entries.items.first)
    #expect(item.itemID == 8 && item.notes == "a\nb" && item.category == "garden" && item.properties == ["X-A:b"])
    #expect(item.key == "k 1" && item.tags.names == ["a", "b"] && item.priority?.number == 3)
    #expect(item.due == WallTime(parsing: "2026-11-23T18:30").map { .local($0, .fixed("America/New_York")) })
    #expect(item.alerts.map(\.iso8601) == ["P1D", "PT0S"] && item.nag?.iso8601 == "PT15M")
    #expect(item.repeatOrigin == .done && item.repeatStart?.description == "2026-11-02T18:30")
    #expect(item.lastChecked?.due.description == "2026-11-16T18:30")
    #expect(entries.items.map(\.place) == ["line 8", "line 13"])
    #expect(entries.lists == ["Home", "Inbox"])
    #expect(entries.items[1] == ImportedItem(text: "bare", place: "line 13"))
  }

  @Test("the output of show --json can be imported")
  func array() throws {
    let belfry = Contents.belfry()
    _ = try belfry.add(
      [ItemDraft(text: "Milk", due: WallTime(parsing: "2026-11-23T18:30"), shouldRemind: true)],
      to: ListChoice("Home", createsMissing: true))
    let shown = try belfry.read { reading in
      try Contents.listings(belfry).map { reading.json($0).serialized() }.joined(separator: ",")
    }
    let again = try Contents.imported("[\(shown)]", nil).belfry
    #expect(try Contents.listings(again).map(\.item.uuid) == Contents.listings(belfry).map(\.item.uuid))
    #expect(try Contents.listings(again).map(\.item.due) == Contents.listings(belfry).map(\.item.due))
  }

  @Test("records with faults are refused with their line, the rest comes")
  func faults() throws {
    let entries = try Contents.entries(
      """
      \(Self.head)"lists":[{"name":1},
      {"name":"Home","uuid":"x"}],"items":[
      {"text":"a"},
      {"text":"a","text":"b"},
      {"txt":"a"},
      {"text":"a","is_checked":1},
      {"text":"a","due_local":"2026-02-30T09:00"},
      {"text":"a","repeat":"FREQ=NEVER"},
      {"text":"a",
       "alerts":"PT10M"},
      {"text":"a" "b"},
      7,
      {"text":"b"}]}
      """)
    #expect(entries.items.map(\.text) == ["a", "b"])
    let expected = [
      "line 1: its \"name\" is a whole number, not text", "line 2: its \"uuid\" is 'x', not a UUID",
      "line 4: the key \"text\" is in its object twice", "line 5: it has no \"text\"",
      "line 6: its \"is_checked\" is a whole number, not true or false",
      "line 7: its \"due_local\" is '2026-02-30T09:00', not a wall-clock time",
      "line 8: its \"repeat\" 'FREQ=NEVER': column 6: FREQ cannot be",
      "line 9: its \"alerts\" is text, not an array of texts", "line 11: expected \",\" or \"}\", found \"\"\"",
      "line 12: it is a whole number, not an object",
    ]
    #expect(entries.refusals.count == expected.count)
    for (refusal, start) in zip(entries.refusals, expected) { #expect(refusal.hasPrefix(start)) }
  }

  @Test(
    "a file that is no store, of a newer version, cut off or with a section twice is refused as a whole",
    arguments: [
      ("{}", "line 1: is not an export of Belfry"), ("{\"format\":\"other\"}", "line 1: is not an export of Belfry"),
      ("{\"format\":\"belfry-store\",\"version\":2}", "is of version 2; this Belfry reads version 1"),
      ("{\"format\":\"belfry-store\",\n\"items\":[],\"items\":[]}", "line 2: duplicate key 'items'"),
      ("{\"format\":\"belfry-store\",\n\"items\":[{\"text\":\"a\"}", "line 2: ends too early"),
      ("{\"format\":\"belfry-store\",\n\"items\":{}}", "line 2: expected \"[\", found \"{\""),
      ("{\"format\":\"belfry-store\"}\nx", "line 2: expected the end of the file"),
    ])
  func wholeFiles(text: String, start: String) {
    let error = #expect(throws: ImportError.self) { try Contents.entries(text, .belfry) }
    #expect(error?.message.hasPrefix(start) == true, "\(String(describing: error))")
  }

  @Test("an export keeps the numbers of people, and an import passes over them")
  func people() throws {
    let belfry = Contents.belfry()
    _ = try belfry.add([ItemDraft(text: "a")], to: ListChoice("Home", createsMissing: true))
    try belfry.store.write { transaction in
      for name in ["anna", "ben"] { _ = try transaction.addPerson(named: name) }
    }
    let text = try Contents.exported(belfry, as: .belfry)
    #expect(text.contains(#""people":[{"number":1,"name":"anna"},{"number":2,"name":"ben"}]"#))
    #expect(text.contains(#""next_person_number":3"#))
    let again = try Contents.imported(text, .belfry).belfry
    #expect(try Contents.listings(again).map(\.item.text) == ["a"])
    #expect(try again.store.read { try $0.people() } == [])
  }

  @Test("an export of one list has that list and its items alone")
  func oneList() throws {
    let belfry = Contents.belfry()
    for name in ["A", "B"] { _ = try belfry.add([ItemDraft(text: name)], to: ListChoice(name, createsMissing: true)) }
    let entries = try Contents.entries(Contents.exported(belfry, as: .belfry, listID: 2))
    #expect(entries.headings.map(\.name) == ["B"] && entries.items.map(\.text) == ["B"])
    let empty = try Contents.entries(Contents.exported(Contents.belfry(), as: .belfry))
    #expect(empty == [])
  }
}
