import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import MemoryStore
import Testing

@testable import Interchange
import TestSupport

struct SnoozeExportTests {
  /// A store with an item that was due at 08:30, and its clock, at 09:00 in Zurich.
  private struct Desk {
    let time = ManualTimeSource()
    let belfry: Belfry

    init(
      alerts: [CalendarDuration] = [.zero], nag: CalendarDuration? = nil, properties: [String] = []
    ) throws {
      var settings = Settings()
      settings.timeZone = .named("Europe/Zurich")
      belfry = Belfry(store: MemoryStore(), settings: settings, time: time, zones: ZoneDatabase(environment: [:]))
      var draft = ItemDraft(text: "Tea", due: try CalendarTesting.wall("2026-11-21T08:30"))
      (draft.shouldRemind, draft.alerts, draft.nag, draft.properties) = (true, alerts, nag, properties)
      _ = try belfry.add([draft], to: ListChoice("Home", createsMissing: true))
    }

    func snooze(minutes: Int = 10) throws {
      _ = try belfry.snooze(1, until: .after(CalendarDuration(days: 0, minutes: minutes)))
    }

    /// The lines of its alarms.
    func alarms() throws -> [String] {
      let text = try Contents.exported(belfry, as: .calendar).replacing("\r\n ", with: "")
      let lines = text.split(separator: "\r\n").map(String.init)
      guard let first = lines.firstIndex(of: "BEGIN:VALARM"), let last = lines.lastIndex(of: "END:VALARM") else {
        return []
      }
      return Array(lines[first...last])
    }
  }

  private func uid(_ item: Item, _ lead: String) -> String {
    UUID(namespace: .belfry, name: "alarm \(item.uuid.text) \(lead)").text
  }

  private func snoozes(_ belfry: Belfry) throws -> [Reminder] {
    try belfry.read { try $0.view.pending() }.map(\.reminder).filter(\.occurrence.kind.isSnooze)
  }

  @Test("a snooze is an alarm at its instant, and the one that was put off is acknowledged")
  func plain() throws {
    let desk = try Desk()
    try desk.snooze()
    let uid = uid(try #require(Contents.listings(desk.belfry).first).item, "PT0S")
    #expect(
      try desk.alarms() == [
        "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Tea", "TRIGGER;RELATED=END:PT0S", "UID:\(uid)",
        "ACKNOWLEDGED:20261121T080000Z", "END:VALARM",
        "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Tea", "TRIGGER;VALUE=DATE-TIME:20261121T081000Z",
        "RELATED-TO;RELTYPE=SNOOZE:\(uid)", "END:VALARM",
      ])
  }

  @Test(
    "the alarm that is put off is the one that has rung last, or else the first",
    arguments: [(["P1D", "PT1H", "PT10M"], "PT10M"), (["P1D", "PT10M", "PT0S"], "PT0S")])
  func choice(leads: [String], acknowledged: String) throws {
    let desk = try Desk(alerts: leads.compactMap { CalendarDuration(iso8601: $0) })
    try desk.snooze()
    var lines = try desk.alarms()
    let uid = uid(try #require(Contents.listings(desk.belfry).first).item, acknowledged)
    let place = try #require(lines.firstIndex(of: "UID:\(uid)"))
    #expect(lines[place - 1] == "TRIGGER;RELATED=END:\(acknowledged == "PT0S" ? "" : "-")\(acknowledged)")
    #expect(lines.count { $0.hasPrefix("ACKNOWLEDGED:") } == 1)
    var edit = ItemEdit()
    edit.due = .at(try CalendarTesting.wall("2026-11-22T12:00"))
    _ = try desk.belfry.edit(1, edit)
    try desk.snooze()
    lines = try desk.alarms()
    #expect(
      lines.contains("RELATED-TO;RELTYPE=SNOOZE:\(self.uid(try Contents.listings(desk.belfry)[0].item, leads[0]))"))
  }

  private static let audio = ["BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER;RELATED=END:PT0S", "END:VALARM"]

  @Test(
    "a snooze is read back as it was, and leaves nothing of itself in the item",
    arguments: [ExportFormat.calendar, .belfry],
    [
      (nag: CalendarDuration?.none, properties: [String]()), (CalendarDuration(days: 0, minutes: 5), []), (nil, audio),
      (nil, ["X-BELFRY-DATE-ONLY:0830"]),
    ])
  func roundTrip(format: ExportFormat, item: (nag: CalendarDuration?, properties: [String])) throws {
    let desk = try Desk(nag: item.nag, properties: item.properties)
    try desk.snooze(minutes: 95)
    let (again, refused) = try Contents.imported(Contents.exported(desk.belfry, as: format), nil)
    #expect(refused == [])
    let expected = try snoozes(desk.belfry)
    #expect(expected.count == 1)
    #expect(try snoozes(again) == expected)
    #expect(try Contents.listings(again) == Contents.listings(desk.belfry))
  }

  @Test(
    "a snooze of a list's own reminder is read back as it was, and goes with an undo",
    arguments: [ExportFormat.calendar, .belfry])
  func ofList(format: ExportFormat) throws {
    let desk = try Desk()
    var settings = desk.belfry.settings
    settings.categories = [
      Category(
        identifier: "bell",
        actions: [
          CategoryAction(
            identifier: "later", title: "Later", operation: .snooze(CalendarDuration(days: 0, minutes: 95)))
        ])
    ]
    let belfry = Belfry(store: desk.belfry.store, settings: settings, time: desk.time, zones: desk.belfry.zones)
    var draft = ListReminderDraft(at: try CalendarTesting.wall("2026-11-21T09:30"))
    draft.category = "bell"
    _ = try belfry.remindList("Home", draft)
    let own = try #require(try belfry.read { try $0.view.reminders(of: .list(1)) }.first)
    let press = Press(reminder: own.id, choice: .identifier("later"), channel: .cli, command: "act")
    let answers = try [belfry.answer(press), belfry.answer(press)].map { result in
      if case .answered(let answer, _) = result { answer } else { nil as Answer? }
    }
    #expect(answers.map(\.?.effect) == [.done, .already])
    #expect(answers[0]?.reply == "snoozed the list 'Home' until Sat 21 Nov 2026 10:35 CET")
    let (again, refused) = try Contents.imported(Contents.exported(belfry, as: format), nil)
    #expect(refused == [])
    #expect(try snoozes(again) == snoozes(belfry))
    #expect(try snoozes(again).map(\.occurrence.owner) == [.list(1)])
    _ = try belfry.undo()
    #expect(try snoozes(belfry).isEmpty)
  }

  @Test(
    "an alarm that another program named keeps its name, and takes note of each snooze in the place of the one before")
  func named() throws {
    let alarm = [
      "BEGIN:VALARM", "UID:tea-1", "ACTION:AUDIO", "TRIGGER;RELATED=END:PT0S", "ACKNOWLEDGED:20261121T073000Z",
      "END:VALARM",
    ]
    let desk = try Desk(properties: alarm)
    #expect(try desk.alarms() == alarm)
    try desk.snooze()
    let (again, _) = try Contents.imported(Contents.exported(desk.belfry, as: .calendar), nil)
    #expect(try snoozes(again) == snoozes(desk.belfry))
    let acknowledged = alarm.map { $0.hasPrefix("ACKNOWLEDGED") ? "ACKNOWLEDGED:20261121T080000Z" : $0 }
    #expect(try Contents.listings(again).first?.item.properties == acknowledged)
    #expect(try desk.alarms().contains("RELATED-TO;RELTYPE=SNOOZE:tea-1"))
  }

  @Test("a snooze that is over or that a check has ended is not written")
  func over() throws {
    let desk = try Desk()
    try desk.snooze()
    _ = try desk.belfry.setChecked(true, [1])
    _ = try desk.belfry.setChecked(false, [1])
    #expect(
      try desk.alarms() == [
        "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Tea", "TRIGGER;RELATED=END:PT0S", "END:VALARM",
      ])
  }

  private static let program = """
    import sys
    import icalendar
    from icalendar.alarms import Alarms
    calendar = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())
    print([component.errors for component in calendar.walk() if component.errors])
    for todo in calendar.walk('VTODO'):
        alarms = todo.walk('VALARM')
        named = {str(alarm['UID']): alarm for alarm in alarms if 'UID' in alarm}
        for alarm in alarms:
            if 'RELATED-TO' in alarm:
                print(alarm['RELATED-TO'].params['RELTYPE'], alarm['TRIGGER'].dt.isoformat(),
                      named[str(alarm['RELATED-TO'])].ACKNOWLEDGED.isoformat())
        ringing = Alarms()
        for alarm in alarms:
            ringing.add_alarm(alarm)
        ringing.set_end(todo.DUE)
        ringing.set_start(todo.DUE)
        ringing.set_local_timezone('Europe/Zurich')
        print([time.trigger.isoformat() for time in ringing.active])
    """

  @Test("icalendar reads a snooze: what it belongs to, when that was acknowledged, and what still rings")
  func icalendar() throws {
    let desk = try Desk()
    try desk.snooze()
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let file = URL(filePath: folder.file("export.ics"))
    try Data(Contents.exported(desk.belfry, as: .calendar).utf8).write(to: file)
    let output = try Python.run(Self.program, [file.path])
    #expect(
      output.split(separator: "\n") == [
        "[]", "SNOOZE 2026-11-21T08:10:00+00:00 2026-11-21T08:00:00+00:00", "['2026-11-21T08:10:00+00:00']",
      ])
  }
}
