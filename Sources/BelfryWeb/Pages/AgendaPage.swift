import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import WebAccess

/// The agenda of some days: overdue items, then past and coming reminders.
struct AgendaPage: Sendable {
  /// The most overdue items that it shows.
  static let mostOverdue = 50
  // The most entries of a day that are not folded, and the most names of a day in a month.
  private static let mostOfDay = 50
  private static let mostNames = 3

  let span: AgendaSpan
  let overdue: [ItemListing]
  let hasMoreOverdue: Bool
  let entries: [AgendaEntry]
  /// True if some reminders of the span are not among the entries.
  let hasMore: Bool
  let time: PageTime
  let scope: AccessScope

  private var zone: Zone { time.planner.floatingZone }

  func add(to body: inout HTML) {
    addViews(to: &body)
    body.live("agenda") { body in
      addOverdue(to: &body)
      let byDay = Dictionary(grouping: entries) { zone.wallTime(at: $0.instant).date }
      if span.view == .month { addMonth(byDay, to: &body) } else { addDays(byDay, to: &body) }
      if hasMore {
        body.paragraph("Not every time is shown: a shorter view shows more.", ["class": "hint"])
      }
    }
  }

  private func addViews(to body: inout HTML) {
    body.markup("<nav class=\"views\" aria-label=\"Days to show\">")
    for view in AgendaSpan.View.allCases {
      let (name, path) = (view.rawValue.capitalizedFirst, span.path(view))
      body.element("a", name, view == span.view ? ["href": path, "aria-current": "true"] : ["href": path])
    }
    if !span.isPresent { body.element("a", "Today", ["href": span.present]) }
    let name = span.view.rawValue
    body.markup("<span class=\"turn\">")
    body.open("a", ["class": "tool", "href": span.previous, "rel": "prev", "aria-label": "Earlier \(name)"])
    body.icon(.back)
    body.markup("</a>")
    body.open("a", ["class": "tool on", "href": span.next, "rel": "next", "aria-label": "Later \(name)"])
    body.icon(.back)
    body.markup("</a></span></nav>\n")
  }

  private func addOverdue(to body: inout HTML) {
    guard !overdue.isEmpty else { return }
    body.rows(scope) { body in
      let more = "\(overdue.count - HTML.overdueInView)\(hasMoreOverdue ? " or" : "") more"
      body.overdue(overdue, more: more, at: time, scope, back: span.path) { body in
        guard hasMoreOverdue else { return }
        body.element("p") { $0.element("a", "All that is overdue", ["href": "/search?only=overdue"]) }
      }
    }
  }

  private func addDays(_ byDay: [CivilDate: [AgendaEntry]], to body: inout HTML) {
    var isEmpty = true
    for date in span.days {
      guard let entries = byDay[date] else { continue }
      isEmpty = false
      body.element("h2", Moment.day(date) + (date == span.today ? ", today" : ""), ["class": "day"])
      add(entries.prefix(Self.mostOfDay), to: &body)
      let rest = entries.dropFirst(Self.mostOfDay)
      guard !rest.isEmpty else { continue }
      body.element("details", ["class": "fold"]) { body in
        body.element("summary", "and \(rest.count) more")
        add(rest, to: &body)
      }
    }
    if isEmpty {
      body.paragraph("Nothing rings on \(span.view == .day ? "this day" : "these days").", ["class": "empty"])
    }
  }

  private func add(_ entries: ArraySlice<AgendaEntry>, to body: inout HTML) {
    body.markup("<ul class=\"items agenda\">\n")
    for entry in entries { add(entry, to: &body) }
    body.markup("</ul>\n")
  }

  private func add(_ entry: AgendaEntry, to body: inout HTML) {
    body.markup("<li><span class=\"at\">")
    body.add("\(zone.wallTime(at: entry.instant).time)")
    body.markup("</span><div class=\"what\"><a dir=\"auto\" class=\"brief\" href=\"")
    body.add(entry.owner.path)
    body.markup("\">")
    body.add(entry.text)
    body.markup("</a><p class=\"when\">")
    // A list's own reminder has the list's name.
    if entry.list != entry.text { body.element("span", entry.list, ["dir": "auto"]) }
    switch entry.course {
    case .coming(let sinks, let note):
      let nowhere = "rings nowhere: no route leads to an enabled channel"
      body.element("span", sinks.isEmpty ? nowhere : "to \(sinks.inSentence)")
      if let note { body.element("span", note, ["dir": "auto"]) }
    case .waiting: body.markup("<strong>its time came: it rings as soon as belfryd runs</strong>")
    case .missed: body.markup("<strong>missed: its time passed while belfryd was not running</strong>")
    case .rang(let outcomes):
      body.markup("<span class=\"state\">rang</span> ")
      for outcome in outcomes {
        body.element(outcome.isBad ? "strong" : "span", outcome.words, ["dir": "auto"])
      }
    }
    body.markup("</p></div></li>\n")
  }

  private func addMonth(_ byDay: [CivilDate: [AgendaEntry]], to body: inout HTML) {
    body.markup("<table class=\"month\"><thead><tr>")
    for day in 0..<7 {
      let name = WhenWords.name(of: CivilDate(daysSinceEpoch: 4 + day).weekday)
      body.open("th", ["scope": "col", "abbr": name])
      body.add(String(name.prefix(2)))
      body.markup("</th>")
    }
    body.markup("</tr></thead>\n<tbody>\n<tr>")
    for _ in 1..<span.first.weekday.rawValue { body.markup("<td></td>") }
    for date in span.days {
      if date.weekday.rawValue == 1, date != span.first { body.markup("</tr>\n<tr>") }
      add(date, byDay[date] ?? [], to: &body)
    }
    for _ in 0..<(span.days.last.map { 7 - $0.weekday.rawValue } ?? 0) { body.markup("<td></td>") }
    body.markup("</tr></tbody></table>\n")
    body.paragraph("Each day links to what rings and rang on it.", ["class": "hint"])
  }

  // Shown if there is room; what rings several times is named once.
  private func addNames(_ entries: [AgendaEntry], to body: inout HTML) {
    guard !entries.isEmpty else { return }
    var named: Set<ReminderOwner> = []
    let entries = entries.filter { named.insert($0.owner).inserted }
    body.markup("<ul class=\"names\">")
    for entry in entries.prefix(Self.mostNames) {
      body.element("li") { $0.element("a", entry.text, ["href": entry.owner.path, "dir": "auto"]) }
    }
    if entries.count > Self.mostNames { body.element("li", "and \(entries.count - Self.mostNames) more") }
    body.markup("</ul>")
  }

  private func add(_ date: CivilDate, _ entries: [AgendaEntry], to body: inout HTML) {
    let past = entries.count { $0.instant < time.now }
    let words = [
      past > 0 ? "\(past) past" : nil, entries.count > past ? "\(entries.count - past) to come" : nil,
    ].compactMap(\.self).joined(separator: ", ")
    let isBad = entries.contains { $0.course.isBad }
    body.markup("<td><a href=\"")
    body.add(AgendaSpan.path(.day, date))
    body.markup("\" aria-label=\"")
    body.add("\(Moment.day(date)): \(words.isEmpty ? "nothing" : words)\(isBad ? ", not all delivered" : "")")
    body.markup(date == span.today ? "\" aria-current=\"date\"><span>" : "\"><span>")
    body.add(Int64(date.day))
    body.markup("</span>")
    if !entries.isEmpty { body.element("span", "\(entries.count)", ["class": isBad ? "state bad" : "state"]) }
    body.markup("</a>")
    addNames(entries, to: &body)
    body.markup("</td>")
  }
}

extension AgendaEntry.Course {
  /// True if it did not ring, or did not arrive everywhere.
  fileprivate var isBad: Bool {
    switch self {
    case .coming: false
    case .waiting, .missed: true
    case .rang(let outcomes): outcomes.contains(where: \.isBad)
    }
  }
}

extension ReminderOwner {
  /// The path of its page.
  var path: String {
    switch self {
    case .item(let id): "/items/\(id)"
    case .list(let id): "/lists/\(id)"
    }
  }
}
