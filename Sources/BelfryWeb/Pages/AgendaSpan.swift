import CivilTime
import FoundationEssentials

/// The days that an agenda shows.
struct AgendaSpan: Sendable {
  /// One of the lengths that a visitor chooses from.
  enum View: String, CaseIterable {
    case day, week, month
  }

  let view: View
  let first: CivilDate
  let today: CivilDate

  // Earlier and later days have no instants that a fire date can have.
  private static let years = 1971...9998

  /// The span around a date.
  init(_ view: View, around date: CivilDate, today: CivilDate) {
    (self.view, self.today) = (view, today)
    first =
      switch view {
      case .day: date
      case .week: date.adding(days: 1 - date.weekday.rawValue)
      case .month: date.adding(days: 1 - date.day)
      }
  }

  /// The span that a query names; this week if it names none.
  ///
  /// - Throws: ``Problem`` 400.
  init(_ fields: FormFields, today: CivilDate) throws(Problem) {
    let word = try fields.text("view") ?? View.week.rawValue
    guard let view = View(rawValue: word) else {
      throw Problem(.badRequest, "'view' is neither day, week nor month", hint: "view=week shows a week")
    }
    let text = try fields.text("at").flatMap { $0.isEmpty ? nil : $0 }
    let date = text.map { $0.utf8.count == 10 ? WallTime(parsing: "\($0)T00:00")?.date : nil } ?? today
    guard let date, Self.years.contains(date.year) else {
      throw Problem(.badRequest, "'at' is not a date of the years 1971 to 9998", hint: "write it as 2026-11-21")
    }
    self.init(view, around: date, today: today)
  }

  var length: Int {
    switch view {
    case .day: 1
    case .week: 7
    case .month: CivilDate.daysInMonth(first.month, of: first.year)
    }
  }

  var days: [CivilDate] { (0..<length).map { first.adding(days: $0) } }

  /// True if today is one of them.
  var isPresent: Bool { (0..<length).contains(today.daysSinceEpoch - first.daysSinceEpoch) }

  /// The date in its paths: today if the span contains it.
  private var date: CivilDate { isPresent ? today : first }

  var title: String {
    switch view {
    case .day: Moment.day(first)
    case .week: "\(Moment.day(first)) to \(Moment.day(first.adding(days: 6)))"
    case .month: "\(WhenWords.name(ofMonth: first.month)) \(first.year)"
    }
  }

  /// The title in a few words, for the bar of a phone: `23 – 29 Nov`.
  var heading: String {
    guard view == .week else { return view == .day ? String(title.dropLast(5)) : title }
    let (last, name) = (first.adding(days: 6), { (date: CivilDate) in WhenWords.shortName(ofMonth: date.month) })
    let start = first.month == last.month ? "\(first.day)" : "\(first.day) \(name(first))"
    return "\(start) – \(last.day) \(name(last))"
  }

  /// The instants of its start and of its end, which is the start of the day after.
  func instants(in zone: Zone) -> (start: Date, end: Date) {
    (zone.start(of: first), zone.start(of: first.adding(days: length)))
  }

  /// The path of its page.
  var path: String { Self.path(view, date) }

  /// The path of the page of the same days in another view.
  func path(_ view: View) -> String { Self.path(view, date) }

  /// The path of the page of the span before.
  var previous: String { Self.path(view, first.adding(days: -1)) }

  /// The path of the page of the span after.
  var next: String { Self.path(view, first.adding(days: length)) }

  /// The path of the page around today.
  var present: String { Self.path(view, today) }

  /// The path of the page of a date.
  static func path(_ view: View, _ date: CivilDate) -> String {
    "/agenda?view=\(view.rawValue)&at=\(date.extendedText)"
  }
}
