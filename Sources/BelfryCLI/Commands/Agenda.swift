import ArgumentParser
import BelfryEngine
import BelfryRuntime
import CivilTime
import FoundationEssentials
import OrderedJSON

struct Agenda: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "agenda", abstract: "Show the upcoming reminders by day.",
    discussion: """
      belfry agenda                  a week
      belfry agenda --days 30
      belfry agenda --month          a calendar of this month
      """)

  @Option(name: .long, help: ArgumentHelp("The number of days; 7 by default.", valueName: "n"))
  var days: Int?

  @Flag(name: .long, help: "Show this month as a calendar.")
  var month = false

  @OptionGroup var options: DataOptions

  func validate() throws {
    if month && days != nil { throw ValidationError("--days and --month contradict each other.") }
    if let days, !(1...3660).contains(days) { throw ValidationError("--days takes a whole number from 1 to 3660.") }
  }

  func run() throws {
    let session = try Session(options)
    try session.readPastFaults(plansEdits: false) { reading in
      let today = reading.planner.floatingZone.wallTime(at: reading.now).date
      let span = month ? CivilDate.daysInMonth(today.month, of: today.year) - today.day + 1 : days ?? 7
      let calendar = AgendaCalendar(
        reading: reading, today: today, days: span, style: session.console.style, width: session.console.width)
      let outlook = try calendar.outlook()
      session.console.report(outlook.setAside)
      for line in calendar.omissions(outlook) { session.console.report(line) }
      var forecast = session.forecast(reading)
      if options.json {
        try session.console.print(.array(forecast.entries(of: outlook.rings).map { reading.json($0) }))
      } else {
        let lines =
          try month ? calendar.monthLines(outlook.rings) : calendar.dayLines(forecast.entries(of: outlook.rings))
        try session.console.print((calendar.overdueLines() + lines).joined(separator: "\n"))
      }
    }
  }
}

/// Days and their reminders, as lines of text.
struct AgendaCalendar {
  let reading: Reading
  let today: CivilDate
  let days: Int
  let style: Style
  let width: Int?

  private var zone: Zone { reading.planner.floatingZone }

  /// The reminders from now to the end of the last day.
  func outlook() throws -> Outlook { try reading.agenda(days: days) }

  /// The reminders not shown, a sentence each.
  func omissions(_ outlook: Outlook) -> [String] {
    var lines = Set(outlook.frequent.map(\.label)).sorted().map { label in
      "\(label == "list" ? "A list" : "Item \(label)") rings too often to show every time: only the first "
        + "\(Reading.agendaLimitOfOne) are shown; --days N shows fewer days."
    }
    if outlook.hasMore { lines.append("Only the first \(Reading.agendaLimit) are shown: --days N shows fewer days.") }
    return lines
  }

  /// The overdue items, before all days.
  func overdueLines() throws -> [String] {
    var lines: [String] = []
    let moment = Moment(zone: zone, now: reading.now)
    try reading.view.forEachItem(ItemQuery(dueBefore: reading.now)) { listing in
      guard let due = listing.item.due else { return }
      lines.append(line(moment.short(due.instant.date), listing.item.text, list: listing.listName, style.red))
    }
    return lines.isEmpty ? [] : [style.red("overdue")] + lines + [""]
  }

  /// A paragraph for each day with a reminder, and for today.
  func dayLines(_ entries: [ForecastEntry<PreviewedReminder>]) -> [String] {
    let byDay = Dictionary(grouping: entries) { zone.wallTime(at: $0.reminder.fireDate.date).date }
    let moment = Moment(zone: zone, now: reading.now)
    var lines: [String] = []
    for offset in 0..<days {
      let date = today.adding(days: offset)
      let entries = byDay[date] ?? []
      guard offset == 0 || !entries.isEmpty else { continue }
      if !lines.isEmpty { lines.append("") }
      let title = Moment.day(date) + (offset == 0 ? "  today" : "")
      lines.append(style.bold(width.map { title.truncated(to: $0) } ?? title))
      if entries.isEmpty { lines.append(style.dim("  nothing rings")) }
      for entry in entries {
        let ring = entry.reminder
        let time = zone.wallTime(at: ring.fireDate.date).time
        lines.append(line("\(time)", ring.text, list: ring.listName) { $0 })
        lines += [entry.note(reading, moment, indent: 9, width: width, style)].compactMap(\.self)
      }
    }
    return lines
  }

  /// A calendar of the month: each day with its number of reminders, today in brackets.
  func monthLines(_ rings: [PreviewedReminder]) -> [String] {
    let counts = Dictionary(grouping: rings) { zone.wallTime(at: $0.fireDate.date).date.day }.mapValues(\.count)
    var lines = [
      style.bold("\(WhenWords.name(ofMonth: today.month)) \(today.year)"),
      style.dim(" Mo    Tu    We    Th    Fr    Sa    Su"),
    ]
    let first = today.adding(days: 1 - today.day)
    var row = String(repeating: " ", count: 6 * (first.weekday.rawValue - 1))
    for day in 1...CivilDate.daysInMonth(today.month, of: today.year) {
      row += cell(day, count: counts[day] ?? 0)
      if first.adding(days: day - 1).weekday == .sunday {
        lines.append(row)
        row = ""
      }
    }
    if !row.isEmpty { lines.append(row) }
    return lines + ["", style.dim("[n] is today, n·m means that m reminders ring")]
  }

  private func cell(_ day: Int, count: Int) -> String {
    let number = day < 10 ? " \(day)" : "\(day)"
    let mark = count == 0 ? "" : "·\(count > 99 ? "99" : "\(count)")"
    let cell = (day == today.day ? "[\(number)\(mark)]" : " \(number)\(mark)").padded(to: 6)
    return day == today.day ? style.bold(cell) : day < today.day ? style.dim(cell) : cell
  }

  // The item's text is truncated before the list, which is short.
  private func line(_ time: String, _ text: String, list: String, _ dress: (String) -> String) -> String {
    let (text, list) = (text.visibleLine, list.visibleLine)
    guard let width else { return dress("  \(time)  \(text)  (\(list))") }
    let room = width - time.displayWidth - 8
    guard room >= 12 else { return dress("  \(time)  \(text)".truncated(to: width).isolated) }
    let shownList = list.truncated(to: max(0, room - min(text.displayWidth, room / 2)))
    let shownText = text.truncated(to: max(1, room - shownList.displayWidth))
    return dress("  \(time)  \(shownText.isolated)  (\(shownList.isolated))")
  }
}
