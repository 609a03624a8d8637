import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import RecurrenceRules
import Testing

@testable import Interchange
import TestSupport

/// Other programs read Belfry's calendars, and Belfry reads theirs: Python's icalendar, and todoman (`todo`).
struct CalendarProgramsTests {
  /// A line for each VTODO, with its due date in seconds since 1970 and the seconds of each trigger.
  private static let program = """
    import sys
    from datetime import datetime
    from zoneinfo import ZoneInfo
    import icalendar
    home = ZoneInfo('Europe/Zurich')
    for calendar in icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read(), multiple=True):
        for component in calendar.walk():
            if component.errors:
                print('E', component.name, component.errors, sep='\\t')
        print('L', str(calendar['NAME']), sep='\\t')
        for todo in calendar.walk('VTODO'):
            due = todo.get('DUE')
            if due is not None:
                time = due.dt
                if not isinstance(time, datetime):
                    time = datetime(time.year, time.month, time.day)
                due = int((time if time.tzinfo else time.replace(tzinfo=home)).timestamp())
            rule = todo.get('RRULE')
            triggers = [str(int(alarm['TRIGGER'].dt.total_seconds())) for alarm in todo.walk('VALARM')]
            text = lambda name: str(todo.get(name, '')).encode().hex()
            print('T', todo['UID'], text('SUMMARY'), text('DESCRIPTION'), due, todo['STATUS'],
                  rule.to_ical().decode() if rule else '', ','.join(triggers), sep='\\t')
    """

  @Test("icalendar reads everything that Belfry writes, without an error", arguments: 1...3 as ClosedRange<UInt64>)
  func icalendar(seed: UInt64) throws {
    var random = RandomItems(seed: seed)
    let belfry = try random.belfry(items: 150)
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let file = URL(filePath: folder.file("export.ics"))
    try Data(Contents.exported(belfry, as: .calendar).utf8).write(to: file)
    let output = try Python.run(Self.program, [file.path]).split(separator: "\n")
    var items: [String: Item] = [:]
    for listing in try Contents.listings(belfry) { items[listing.item.uuid.text] = listing.item }
    var compared = 0
    for line in output {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      #expect(fields[0] != "E", "\(line)")
      guard fields[0] == "T" else { continue }
      let item = try #require(items[fields[1]])
      compared += 1
      #expect(Self.text(fields[2]) == item.text)
      #expect(Self.text(fields[3]) == item.notes ?? "")
      #expect(fields[4] == (item.due.map { "\($0.instant.secondsSinceEpoch)" } ?? "None"))
      #expect(fields[5] == (item.isChecked ? "COMPLETED" : "NEEDS-ACTION"))
      #expect(fields[6].isEmpty == (item.recurrence == nil))
      let leads = item.due != nil && item.shouldRemind ? item.alerts : []
      #expect(fields[7] == leads.map { "\(-$0.days * 86_400 - $0.minutes * 60)" }.joined(separator: ","))
    }
    #expect(compared == 150)
  }

  private static func text(_ hex: String) -> String {
    var bytes: [UInt8] = []
    var rest = hex[...]
    while !rest.isEmpty {
      bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// todoman, over the calendars in a folder.
  private struct Todoman {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
      let config = """
        path = "\(folder.path)/lists/*"
        cache_path = "\(folder.path)/cache.sqlite3"
        date_format = "%Y-%m-%d"
        time_format = "%H:%M"
        default_list = "Home"
        """
      try config.write(to: URL(filePath: folder.file("config.py")), atomically: false, encoding: .utf8)
      try FileManager.default.createDirectory(at: list, withIntermediateDirectories: true)
    }

    var list: URL { URL(filePath: folder.file("lists/Home")) }

    func run(_ arguments: String...) throws -> Data {
      let words = ["todo", "--config", folder.file("config.py")] + arguments
      return try Program.output(words, environment: ["TZ": "Europe/Zurich"])
    }
  }

  @Test("todoman shows what Belfry writes: text, notes, due date, state, priority, place")
  func todomanReads() throws {
    let todoman = try Todoman()
    let belfry = Contents.belfry()
    let drafts: [(String, ItemZone, String?, [String])] = [
      ("floating", .floating, nil, ["PRIORITY:1", "LOCATION:Kitchen\\, left", "CATEGORIES:home,work"]),
      ("zoned", .fixed("America/New_York"), "one\ntwo, three; four", []), ("utc", .fixed("UTC"), nil, []),
      ("date", .floating, nil, ["X-BELFRY-DATE-ONLY:0900"]), ("repeats, 🧀", .fixed("Europe/Berlin"), nil, []),
    ]
    for (text, zone, notes, properties) in drafts {
      var draft = ItemDraft(text: text, notes: notes, due: try CalendarTesting.wall("2026-12-24T09:00"), zone: zone)
      draft.shouldRemind = true
      draft.properties = properties
      if text.hasPrefix("repeats") { draft.rule = try RecurrenceRule("FREQ=WEEKLY;BYDAY=TH") }
      _ = try belfry.add([draft], to: ListChoice("Home", createsMissing: true))
    }
    _ = try belfry.setChecked(true, [1])
    try Data(Contents.exported(belfry, as: .calendar).utf8).write(to: todoman.list.appending(path: "export.ics"))
    let shown = try JSONSerialization.jsonObject(with: todoman.run("--porcelain", "list", "--status", "ANY"))
    let todos = try #require(shown as? [[String: Any]])
    #expect(todos.count == drafts.count)
    for listing in try Contents.listings(belfry) {
      let item = listing.item
      let todo = try #require(todos.first { $0["summary"] as? String == item.text }, "\(item.text)")
      #expect(todo["description"] as? String == item.notes ?? "")
      #expect(todo["completed"] as? Bool == item.isChecked)
      // Versions before 4.5 do not show repeats and categories.
      #expect(todo["recurring"].map { $0 as? Bool == (item.recurrence != nil) } ?? true)
      #expect(todo["list"] as? String == "Home")
      // A date alone is midnight to todoman.
      let due = try #require(item.due).instant.secondsSinceEpoch - (item.text == "date" ? 9 * 3_600 : 0)
      #expect((todo["due"] as? NSNumber)?.int64Value == due, "\(item.text)")
    }
    let first = try #require(todos.first { $0["summary"] as? String == "floating" })
    #expect(first["priority"] as? Int == 1 && first["location"] as? String == "Kitchen, left")
    #expect(first["categories"].map { Set($0 as? [String] ?? []) == ["home", "work"] } ?? true)
  }

  @Test("Belfry reads what todoman writes")
  func todomanWrites() throws {
    let todoman = try Todoman()
    _ = try todoman.run(
      "new", "-l", "Home", "--due", "2026-12-24 18:30", "--priority", "high", "--location", "Kitchen",
      "Buy milk, eggs; 🧀")
    _ = try todoman.run("new", "-l", "Home", "--due", "2026-12-25", "Second")
    _ = try todoman.run("new", "-l", "Home", "Third")
    _ = try todoman.run("done", "3")
    let files = try FileManager.default.contentsOfDirectory(at: todoman.list, includingPropertiesForKeys: nil)
    var items: [String: ImportedItem] = [:]
    for file in files where file.pathExtension == "ics" {
      let read = try CalendarTesting.entries(Data(contentsOf: file))
      #expect(read.refusals == [])
      for item in read.items { items[item.text] = item }
    }
    #expect(items.count == 3)
    let milk = try #require(items["Buy milk, eggs; 🧀"])
    #expect(try milk.due == .instant(CalendarTesting.date("2026-12-24T18:30:00+01:00")))
    #expect(milk.priority == ItemPriority(number: 4) && milk.properties.contains("LOCATION:Kitchen"))
    #expect(try items["Second"]?.due == .local(CalendarTesting.wall("2026-12-25T09:00"), .floating))
    #expect(items["Third"]?.isChecked == true && items["Third"]?.checkedAt != nil)
  }
}
