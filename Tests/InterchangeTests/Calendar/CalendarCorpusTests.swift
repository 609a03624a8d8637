import BelfryModel
import BelfryTestKit
import Foundation
import RecurrenceRules
import Testing

@testable import ICalendar
@testable import Interchange
import TestSupport

/// Calendars of our own and of other programs, read by Belfry and by Python's icalendar.
struct CalendarCorpusTests {
  /// Prints a line with the content of each VTODO, for each file that icalendar reads.
  private static let program = """
    import sys
    from datetime import datetime
    import icalendar
    for path in sys.argv[1:]:
        try:
            calendars = icalendar.Calendar.from_ical(open(path, 'rb').read(), multiple=True)
        except Exception as error:
            print('F', path, sep='\\t')
            continue
        print('P', path, sep='\\t')
        for calendar in calendars:
            for todo in calendar.walk('VTODO'):
                def text(name):
                    value = todo.get(name)
                    return '' if value is None else str(value).replace('\\n', '|').replace('\\t', ' ')
                if todo.get('RECURRENCE-ID') is not None:
                    continue
                moment = todo.get('DUE') or todo.get('DTSTART')
                time = getattr(moment, 'dt', None)
                if todo.get('DUE') is None and todo.get('DURATION') is not None:
                    time += todo.get('DURATION').dt
                due = ''
                if isinstance(time, datetime):
                    due = time.strftime('%Y%m%dT%H%M') + ('Z' if time.tzname() == 'UTC' else '')
                elif time is not None:
                    due = time.strftime('%Y%m%d')
                rule = todo.get('RRULE')
                rule = '' if rule is None else rule.to_ical().decode()
                print('T', text('UID'), text('SUMMARY'), due, rule, len(list(todo.walk('VALARM'))), sep='\\t')
    """

  @Test("Belfry and icalendar read calendars alike: UID, SUMMARY, DUE, RRULE, alarms of each to-do")
  func agreesOnTodos() throws {
    #expect(CalendarTesting.corpus.count >= (Corpus.isThere ? 119 : 19))
    #expect(try Self.compared(CalendarTesting.corpus) >= (Corpus.isThere ? 70 : 55))
  }

  @Test("events, made to-dos, are read as icalendar reads them")
  func agreesOnEvents() throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    var files: [URL] = []
    for (index, file) in CalendarTesting.corpus.enumerated() {
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      files.append(URL(filePath: folder.file("\(index)-\(file.lastPathComponent)")))
      try text.replacing("VEVENT", with: "VTODO").write(to: files[index], atomically: false, encoding: .utf8)
    }
    #expect(try Self.compared(files) >= (Corpus.isThere ? 360 : 61))
  }

  /// The number of to-dos that both have read, with equal results.
  private static func compared(_ files: [URL]) throws -> Int {
    let output = try Python.run(Self.program, files.map(\.path))
    var items: [String: [ImportedItem]] = [:]
    var refusals: [ImportRefusal] = []
    var compared = 0
    for line in output.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      switch fields[0] {
      case "P":
        let entries = try CalendarTesting.entries(Data(contentsOf: URL(filePath: fields[1])))
        items = Dictionary(grouping: entries.items) { "\($0.uuid?.text ?? "") \($0.text)" }
        refusals = entries.refusals.filter { $0.place.contains("VTODO") }
      case "T":
        let (uid, summary, due, rule) = (fields[1], fields[2], fields[3], fields[4])
        let identity = uid.isEmpty ? "" : UUID(calendarUID: uid).text
        guard let text = summary.split(separator: "|").first.map(String.init) else { continue }
        guard let item = items["\(identity) \(text)"]?.first else {
          #expect(!refusals.isEmpty, "neither taken nor refused: \(line)")
          continue
        }
        items["\(identity) \(text)"]?.removeFirst()
        compared += 1
        if item.properties.allSatisfy({ !$0.hasPrefix("EXDATE") }) {
          let isDate = item.properties.contains { $0.hasPrefix(BelfryProperty.dateOnly) }
          #expect(Self.text(item.due).prefix(isDate ? 8 : 14) == due.prefix(isDate ? 8 : 14), "\(line)")
          let theirs = try rule.isEmpty ? nil : RecurrenceRule(rule)
          #expect(item.rule?.ending(.never) == theirs?.ending(.never), "\(line)")
        }
        let kept = item.properties.count { $0 == "BEGIN:VALARM" }
        #expect(item.alerts.count + kept >= Int(fields[5]) ?? 0 || item.snoozedUntil != nil, "\(line) \(item)")
      default: continue
      }
    }
    return compared
  }

  private static func text(_ due: ImportedDue?) -> String {
    switch due {
    case .instant(let instant): String(instant.utcValue.prefix(13)) + "Z"
    case .local(let wall, let zone):
      String(wall.civil.description.prefix(13)) + (zone == .fixed("UTC") ? "Z" : "")
    case nil: ""
    }
  }

  @Test("no file with a component in it is taken without a word")
  func saysSomething() throws {
    var told = 0
    for file in CalendarTesting.corpus {
      let data = try Data(contentsOf: file)
      guard ["BEGIN:VEVENT", "BEGIN:VTODO", "BEGIN:VALARM"].contains(where: { data.range(of: Data($0.utf8)) != nil })
      else { continue }
      told += 1
      #expect(try !CalendarTesting.entries(data).entries.isEmpty, "\(file.lastPathComponent)")
    }
    #expect(told >= (Corpus.isThere ? 108 : 18))
  }
}
