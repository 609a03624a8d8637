import RecurrenceRules
import Testing

struct RuleTextTests {
  @Test(
    "a rule prints in one canonical form",
    arguments: [
      ("FREQ=DAILY", "FREQ=DAILY"), (" rrule:freq=daily;interval=1;wkst=mo \r\n", "FREQ=DAILY"),
      ("BYDAY=FR,MO;FREQ=WEEKLY;COUNT=007", "FREQ=WEEKLY;COUNT=7;BYDAY=MO,FR"),
      ("FREQ=MONTHLY;BYMONTHDAY=-1,+15,1,15", "FREQ=MONTHLY;BYMONTHDAY=1,15,-1"),
      ("FREQ=MONTHLY;BYDAY=-1FR,+2MO,TU,1SU", "FREQ=MONTHLY;BYDAY=TU,1SU,2MO,-1FR"),
      ("FREQ=DAILY;BYSECOND=60;BYMINUTE=5,0;BYHOUR=9", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0,5;BYSECOND=59"),
      ("FREQ=DAILY;UNTIL=20271224", "FREQ=DAILY;UNTIL=20271224"),
      ("FREQ=DAILY;UNTIL=20271224t090000z", "FREQ=DAILY;UNTIL=20271224T090000Z"),
      ("FREQ=WEEKLY;WKST=SU;BYWEEKDAY=SA", "FREQ=WEEKLY;BYDAY=SA;WKST=SU"),
    ])
  func canonical(text: String, expected: String) throws {
    let rule = try RecurrenceRule(text)
    #expect(rule.description == expected)
    #expect(try RecurrenceRule(expected) == rule)
  }

  @Test(
    "a text that is no rule is refused at the place at fault, with what is expected",
    arguments: [
      ("", 0, "nothing where a part like FREQ=DAILY is expected"),
      ("COUNT=3", 0, "FREQ is missing; a rule starts with FREQ="),
      ("FREQ=SMONTHLY", 5, "FREQ cannot be 'SMONTHLY'; it is YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY or MINUTELY"),
      ("FREQ=SECONDLY;COUNT=2", 5, "SECONDLY is not supported; the finest is MINUTELY"),
      ("FREQ=", 5, "FREQ cannot be ''"), ("FREQ=DAILY;", 11, "nothing where a part"),
      ("FREQ=DAILY;;COUNT=2", 11, "nothing where a part"), ("FREQ=DAILY;COUNT", 11, "'COUNT' where a part"),
      ("FREQ=DAILY;INTERVALL=2", 11, "unknown part 'INTERVALL'; did you mean INTERVAL?"),
      ("FREQ=DAILY;BYDYA=MO", 11, "unknown part 'BYDYA'; did you mean BYDAY?"),
      ("FREQ=DAILY;BYEASTER=2", 11, "unknown part 'BYEASTER'"), ("FREQ=DAILY;X-A=1", 11, "known are FREQ, INTERVAL"),
      ("FREQ=DAILY;RSCALE=HEBREW", 11, "unknown part 'RSCALE'"),
      ("FREQ=DAILY;INTERVAL=0", 20, "INTERVAL has '0' where a whole number, 1 to 1000000000, is expected"),
      ("FREQ=DAILY;COUNT=0", 17, "COUNT has '0'"), ("FREQ=DAILY;COUNT=-1", 17, "COUNT has '-1'"),
      ("FREQ=DAILY;COUNT=99999999999999999999999", 17, "1 to 1000000000"),
      ("FREQ=DAILY;COUNT=2;UNTIL=20270101", 19, "a rule ends by COUNT or by UNTIL, not by both"),
      ("FREQ=DAILY;COUNT=2;COUNT=2", 19, "COUNT is given twice"), ("FREQ=DAILY;FREQ=DAILY", 11, "FREQ is given twice"),
      ("FREQ=DAILY;BYDAY=MO;BYWEEKDAY=TU", 20, "BYDAY is given twice"),
      ("FREQ=DAILY;UNTIL=tomorrow", 17, "'tomorrow' where a time like 20271224"),
      ("FREQ=DAILY;UNTIL=20270229", 17, "there is no day '20270229'"),
      ("FREQ=DAILY;UNTIL=20270228T250000", 26, "there is no time '250000'"),
      ("FREQ=DAILY;UNTIL=", 17, "nothing where a time"), ("FREQ=DAILY;UNTIL=20270228Z", 17, "where a time like"),
      ("FREQ=YEARLY;BYMONTH=13", 20, "BYMONTH has '13' where a whole number, 1 to 12, is expected"),
      ("FREQ=YEARLY;BYMONTH=1,,2", 22, "BYMONTH has nothing"), ("FREQ=YEARLY;BYMONTH=1 2", 21, "unexpected ' 2' after"),
      ("FREQ=YEARLY;BYWEEKNO=1,54", 23, "1 to 53 or -1 to -53"), ("FREQ=YEARLY;BYYEARDAY=0", 22, "BYYEARDAY has '0'"),
      ("FREQ=MONTHLY;BYMONTHDAY=-32", 24, "BYMONTHDAY has '-32'"), ("FREQ=DAILY;BYHOUR=24", 18, "0 to 23"),
      ("FREQ=DAILY;BYMINUTE=-1", 20, "BYMINUTE has '-1'"), ("FREQ=DAILY;BYSECOND=61", 20, "0 to 60"),
      ("FREQ=MONTHLY;BYDAY=0MO", 19, "the number of a day is 1 to 53 or -1 to -53"),
      ("FREQ=MONTHLY;BYDAY=MO,XX", 22, "BYDAY has 'XX' where MO, TU"),
      ("FREQ=MONTHLY;BYDAY=1", 20, "BYDAY has nothing"),
      ("FREQ=MONTHLY;BYDAY=MON", 21, "unexpected 'N' after the value of BYDAY"),
      ("FREQ=WEEKLY;BYDAY=1MO", 12, "a numbered day of the week, like 1MO, needs a month or a year, not WEEKLY"),
      ("FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO", 23, "cannot be joined with weeks by number"),
      ("FREQ=MONTHLY;BYSETPOS=1", 13, "BYSETPOS needs another BY part to choose from"),
      ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367", 31, "1 to 366 or -1 to -366"),
      ("FREQ=WEEKLY;WKST=DI", 17, "WKST has 'DI' where MO, TU"), ("FREQ=DAILY;COUNT=2\nX", 18, "unexpected '\\nX'"),
    ])
  func refused(text: String, position: Int, message: String) {
    let error = #expect(throws: RecurrenceRuleError.self) { try RecurrenceRule(text) }
    #expect(error?.position == position)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.description.hasPrefix("column \(position + 1): ") == true)
  }

  @Test("a message quotes little of a long text, and nothing that could steer a terminal")
  func quoting() {
    let long = String(repeating: "x", count: 1_000_000)
    let error = #expect(throws: RecurrenceRuleError.self) { try RecurrenceRule("FREQ=\u{1B}[2J\u{202E}" + long) }
    #expect(error.map { $0.message.utf8.count < 200 } == true)
    #expect(error?.message.contains(#"'\u{1B}[2J\u{202E}xxx"#) == true)
  }

  @Test("equal rules are equal values, however they were written")
  func equality() throws {
    let one = try RecurrenceRule("FREQ=WEEKLY;BYDAY=MO,FR,MO;INTERVAL=1")
    let other = try RecurrenceRule("byday=fr,mo;freq=weekly")
    #expect(one == other)
    #expect(Set([one, other]).count == 1)
    #expect(one != (try RecurrenceRule("FREQ=WEEKLY;BYDAY=MO")))
  }

  @Test("another end leaves the rest, and a COUNT of nothing is no end")
  func ending() throws {
    let rule = try RecurrenceRule("FREQ=WEEKLY;BYDAY=MO;COUNT=3")
    #expect(rule.ending(.never)?.description == "FREQ=WEEKLY;BYDAY=MO")
    #expect(rule.ending(.count(5))?.description == "FREQ=WEEKLY;COUNT=5;BYDAY=MO")
    #expect(rule.ending(.count(0)) == nil)
    #expect(rule.ending(.count(.max)) == nil)
  }
}
