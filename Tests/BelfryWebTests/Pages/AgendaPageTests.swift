import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb
@testable import CivilTime

@Suite("The agenda")
struct AgendaPageTests {
  private func fixture() throws -> PageFixture {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-21T10:00")
    try fixture.add(["Bread"], due: "2026-11-24T18:30")
    try fixture.add(["Rent"], to: "Home", due: "2026-12-01T08:00")
    return fixture
  }

  /// The texts of items in their order on a page.
  private func texts(_ page: String) -> [String] {
    page.matches(of: #/<a [^>]*class="brief"[^>]*>([^<]*)<\/a>/#).map { String($0.1) }
  }

  @Test("a week begins on Monday, and each view shows its own days")
  func spans() throws {
    let date = try #require(WallTime(parsing: "2026-11-22T00:00")?.date)
    let week = AgendaSpan(.week, around: date, today: date)
    #expect(week.title == "Mon 16 Nov 2026 to Sun 22 Nov 2026" && week.days.count == 7 && week.isPresent)
    #expect(week.next == "/agenda?view=week&at=2026-11-23" && week.previous == "/agenda?view=week&at=2026-11-15")
    let month = AgendaSpan(.month, around: date, today: date)
    #expect(month.title == "November 2026" && month.days.count == 30)
    #expect(month.next == "/agenda?view=month&at=2026-12-01" && month.path(.day) == "/agenda?view=day&at=2026-11-22")
  }

  @Test("it shows what will ring, soonest first, and leads to other days")
  func coming() async throws {
    let fixture = try fixture()
    let visitor = try fixture.visitor()
    let week = try await fixture.server.get("/agenda?at=2026-11-21", visitor).body
    #expect(texts(week) == ["Milk"] && week.contains("Sat 21 Nov 2026, today") && week.contains(">10:00</span>"))
    #expect(week.contains("href=\"/agenda?view=week&amp;at=2026-11-23\""))
    let next = try await fixture.server.get("/agenda?view=week&at=2026-11-23", visitor).body
    #expect(texts(next) == ["Bread"] && next.contains("rings nowhere: no route leads to an enabled channel"))
    #expect(texts(try await fixture.server.get("/agenda?view=day&at=2026-12-01", visitor).body) == ["Rent"])
    let month = try await fixture.server.get("/agenda?view=month&at=2026-11-01", visitor).body
    #expect(month.contains("aria-label=\"Tue 24 Nov 2026: 1 to come\""))
    #expect(month.contains("aria-current=\"date\"><span>21</span>"))
  }

  @Test("a day of a month names what rings several times on it once")
  func names() async throws {
    let fixture = try fixture()
    let due = WallTime(parsing: "2026-11-30T10:00")
    let alerts = [.zero, CalendarDuration(days: 0, minutes: 60)]
    let drafts = ["Coffee", "Tea", "Water"].map { ItemDraft(text: $0, due: due, shouldRemind: true, alerts: alerts) }
    _ = try fixture.server.belfry.add(drafts, to: ListChoice("Groceries"))
    let month = try await fixture.server.get("/agenda?view=month", fixture.visitor()).body
    let names = month.matches(of: /<li><a [^>]*>(\w+)<\/a>/).map { String($0.1) }
    #expect(names == ["Milk", "Bread"] + drafts.map(\.text) && !month.contains("more</li>"))
    #expect(month.contains("aria-label=\"Mon 30 Nov 2026: 6 to come\""))
  }

  @Test("of what rang, the last are shown, and that there are more is said")
  func bound() throws {
    let fixture = try PageFixture()
    for hour in 10...14 { try fixture.add(["\(hour)"], due: "2026-11-21T\(hour):00") }
    for _ in 10...14 {
      fixture.server.time.advance(by: 3_600)
      try fixture.server.belfry.ring()
    }
    let shown = try [2, 5].map { most in
      try fixture.server.belfry.read { reading in
        let today = reading.planner.floatingZone.wallTime(at: reading.now).date
        let reader = AgendaReader(
          sight: Sight(reading: reading, grant: Access.Grant(scope: .read)),
          span: AgendaSpan(.day, around: today, today: today), settings: Settings(), sinks: [], mostRang: most)
        let (entries, hasMore) = try reader.entries()
        return entries.map(\.text) + [hasMore ? "more" : "all"]
      }
    }
    #expect(shown == [["13", "14", "more"], ["10", "11", "12", "13", "14", "all"]])
  }

  @Test("what rang stands on its day with its deliveries and who answered; what is overdue stands first")
  func past() async throws {
    let fixture = try fixture()
    try fixture.add(["Stamps"], due: "2026-11-20T09:00")
    fixture.server.time.advance(by: 2 * 3_600)
    try fixture.server.belfry.ring()
    let reminder = try #require(
      try fixture.server.belfry.store.read { try $0.reminders(of: .item(1), at: nil, state: .fired) }.first)
    _ = try fixture.server.belfry.answer(
      Press(reminder: reminder.id, choice: .identifier("done"), channel: .web, author: .name("anna")))
    let body = try await fixture.server.get("/agenda?view=day&at=2026-11-21", fixture.visitor()).body
    let (overdue, day) = (body.range(of: "<h2>Overdue</h2>"), body.range(of: "class=\"day\""))
    #expect(try #require(overdue).lowerBound < #require(day).lowerBound)
    #expect(body.contains("<span class=\"state\">rang</span>") && body.contains(">sink: "), "\(body)")
    #expect(body.contains("&#39;done&#39; by Anna over web") && body.contains("formaction=\"/items/4/check\""))
    let other = try await fixture.server.get("/agenda?view=day&at=2026-11-24", fixture.visitor()).body
    #expect(texts(other) == ["Bread"] && !other.contains("Overdue"))
  }

  @Test("what is overdue is folded after five, so that the days stay in view")
  func folded() async throws {
    let fixture = try fixture()
    for number in 1...7 { try fixture.add(["Stamps \(number)"], due: "2026-11-20T09:0\(number)") }
    let body = try await fixture.server.get("/agenda?view=month", fixture.visitor()).body
    let rows = body.matches(of: /href="\/items\/\d+">(Stamps \d)/).map { String($0.1) }
    let fold = try #require(body.range(of: "<details class=\"fold\"><summary>2 more</summary>"))
    #expect(rows == (1...7).map { "Stamps \($0)" })
    #expect(try fold.lowerBound < #require(body.range(of: "Stamps 6")).lowerBound)
    #expect(try fold.lowerBound > #require(body.range(of: "Stamps 5")).lowerBound)
  }

  @Test("what no program has rung yet says so")
  func waiting() async throws {
    let fixture = try fixture()
    fixture.server.time.advance(by: 2 * 3_600)
    let body = try await fixture.server.get("/agenda?view=day", fixture.visitor()).body
    #expect(body.contains("its time came: it rings as soon as belfryd runs"))
  }

  @Test("a right to some lists shows nothing of others")
  func lists() async throws {
    let fixture = try fixture()
    let visitor = try fixture.visitor(.read, lists: ["Home"])
    for path in ["/agenda", "/agenda?view=month", "/agenda?view=week&at=2026-11-24"] {
      let body = try await fixture.server.get(path, visitor).body
      #expect(!body.contains("Milk") && !body.contains("Bread") && !body.contains("to come"), "\(path)")
    }
    #expect(texts(try await fixture.server.get("/agenda?view=day&at=2026-12-01", visitor).body) == ["Rent"])
  }

  @Test(
    "a date or view that is none is refused",
    arguments: ["view=year", "at=tomorrow", "at=2026-02-30", "at=9999-12-31"])
  func wrong(query: String) async throws {
    let fixture = try fixture()
    #expect(try await fixture.server.get("/agenda?\(query)", fixture.visitor()).status == 400)
  }
}
