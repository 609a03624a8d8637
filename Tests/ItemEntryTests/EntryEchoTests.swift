import BelfryModel
import CivilTime
import ItemEntry
import Testing

@Suite("What an entry would do")
struct EntryEchoTests {
  private let fixture = EntryFixture()

  @Test("a date is echoed in full, with its zone")
  func due() throws {
    let echo = try fixture.echo([.due: .text("fri 17:00"), .alerts: .texts(["1d", "0m"])])
    #expect(echo.due == "Fri 27 Nov 2026 17:00 CET, in 6 days" && echo.repeats == nil && echo.faults.isEmpty)
    #expect(
      echo.rings == ["Thu 26 Nov 2026 17:00 CET, in 5 days", "Fri 27 Nov 2026 17:00 CET, in 6 days"], "\(echo)")
    let tokyo = try fixture.echo([.due: .text("fri 17:00"), .timeZone: .text("Asia/Tokyo")])
    #expect(tokyo.due?.hasPrefix("Fri 27 Nov 2026 17:00 JST, ") == true)
  }

  @Test("a repeat is echoed in words with its next five rings")
  func repeats() throws {
    let echo = try fixture.echo([
      .due: .text("8:00"), .repeat: .text("FREQ=WEEKLY;BYDAY=MO,SU"), .alerts: .text("0m,1h"),
    ])
    #expect(echo.repeats == "every week on monday and sunday", "\(echo)")
    #expect(
      echo.rings.map { $0.prefix(16) } == [
        "Sun 22 Nov 2026 ", "Sun 22 Nov 2026 ", "Mon 23 Nov 2026 ", "Mon 23 Nov 2026 ", "Sun 29 Nov 2026 ",
      ], "\(echo)")
  }

  @Test("an item's own fields count where the entry does not name them")
  func edited() throws {
    let item = try fixture.item([.due: .text("2026-11-20 8:00"), .repeat: .text("daily")])
    #expect(try fixture.echo([:], of: item).rings.first == "Sun 22 Nov 2026 08:00 CET, in 23 h")
    let moved = try fixture.echo([.due: .text("mon 8:00")], of: item)
    #expect(moved.rings.first == "Mon 23 Nov 2026 08:00 CET, in 1 day 23 h" && moved.repeats == "daily", "\(moved)")
    #expect(try fixture.echo([.due: .clear], of: item).faults.map(\.field) == [.due])
  }

  @Test("what may surprise is remarked")
  func surprises() throws {
    let past = try fixture.echo([.due: .text("yesterday 9am")])
    #expect(past.due == "Fri 20 Nov 2026 09:00 CET, already past" && past.rings.isEmpty)
    let silent = try fixture.echo([.due: .text("fri 17:00"), .remind: .flag(false)])
    #expect(silent.rings.isEmpty && silent.remarks == ["it does not ring: its reminder is off"])
    let skipped = try fixture.echo([.due: .text("2027-03-28 2:30")])
    #expect(skipped.remarks.first?.hasPrefix("the clocks skip 02:30 that day") == true, "\(skipped)")
  }

  @Test(
    "a repeat that rings less often, or on other days, than its words suggest is remarked",
    arguments: [
      (
        "8:00", "weekdays",
        "the due date is not an occurrence of the repeat, which continues on Mon 23 Nov 2026 08:00 CET"
      ),
      ("2026-12-24 9:00", "every month on the last friday", "the due date is not an occurrence of the repeat"),
      ("2027-01-31 9:00", "monthly", "months without a 31st are skipped"),
      ("2027-01-30 9:00", "monthly", "months without a 30th are skipped"),
      ("2028-02-29 9:00", "yearly", "years without 29 February are skipped"),
      ("2027-01-28 9:00", "monthly", nil), ("2027-01-31 9:00", "every month on the last day", nil),
      ("mon 8:00", "weekdays", nil), ("mon 8:00", "FREQ=DAILY;BYSECOND=30", nil),
      ("sun 8:00", "FREQ=WEEKLY;BYDAY=MO;COUNT=1", nil), ("2027-01-31 9:00", "FREQ=MONTHLY;INTERVAL=12", nil),
      ("2027-01-31 9:00", "FREQ=MONTHLY;INTERVAL=5", "months without a 31st are skipped"),
      ("2028-02-29 9:00", "FREQ=YEARLY;INTERVAL=4", nil),
    ])
  func repeatRemarks(due: String, rule: String, remark: String?) throws {
    let echo = try fixture.echo([.due: .text(due), .repeat: .text(rule)])
    #expect(echo.remarks.count == (remark == nil ? 0 : 1), "\(echo)")
    if let remark { #expect(echo.remarks.first?.hasPrefix(remark) == true, "\(echo)") }
  }

  @Test("nothing is echoed without a date, and errors are those of the entry")
  func faults() throws {
    let empty = try fixture.echo([.text: .text("Buy milk")])
    #expect(empty.due == nil && empty.rings.isEmpty && empty.faults.isEmpty)
    #expect(try fixture.echo([.due: .text("soon"), .nag: .text("x")]).faults.map(\.field) == [.due, .nag])
    let never = try fixture.echo([.due: .text("2026-12-01 9:00"), .repeat: .text("FREQ=DAILY;UNTIL=20251201T000000Z")])
    #expect(never.faults.map(\.field) == [.repeat])
  }

  @Test(
    "an error that only the whole entry has names the field at fault",
    arguments: [
      ([.due: .text("2026-12-01 9:00"), .repeat: .text("FREQ=DAILY;UNTIL=20251201T000000Z")], .repeat),
      ([.due: .text("2026-12-01 9:00"), .repeat: .text("FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1;COUNT=400000")], .repeat),
      ([.due: .text("9999-12-31 23:59"), .timeZone: .text("Pacific/Pago_Pago")], .due),
      (
        [.due: .text("2026-12-01 9:00"), .repeat: .text("daily"), .alerts: .texts((1...1_001).map { "\($0)m" })],
        .alerts
      ),
    ] as [([ItemField: ItemEntry.Words], ItemField)])
  func culprit(entry: [ItemField: ItemEntry.Words], field: ItemField) throws {
    #expect(try fixture.echo(entry).faults.map(\.field) == [field])
  }
}
