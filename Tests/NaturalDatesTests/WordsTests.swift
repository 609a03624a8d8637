import RecurrenceRules
import Testing

struct WordsTests {
  @Test(
    "words that people write are understood",
    arguments: [
      ("daily", "FREQ=DAILY"), ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"), ("weekly", "FREQ=WEEKLY"),
      ("monthly", "FREQ=MONTHLY"), ("yearly", "FREQ=YEARLY"), ("annually", "FREQ=YEARLY"), ("hourly", "FREQ=HOURLY"),
      ("fortnightly", "FREQ=WEEKLY;INTERVAL=2"), ("quarterly", "FREQ=MONTHLY;INTERVAL=3"),
      ("every 3 days", "FREQ=DAILY;INTERVAL=3"), ("every 2 weeks", "FREQ=WEEKLY;INTERVAL=2"),
      ("every month on the last friday", "FREQ=MONTHLY;BYDAY=-1FR"), ("Every  OTHER day", "FREQ=DAILY;INTERVAL=2"),
      ("every two weeks", "FREQ=WEEKLY;INTERVAL=2"), ("every second week", "FREQ=WEEKLY;INTERVAL=2"),
      ("every 15 minutes", "FREQ=MINUTELY;INTERVAL=15"), ("every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
      ("weekends", "FREQ=WEEKLY;BYDAY=SA,SU"), ("every weekend", "FREQ=WEEKLY;BYDAY=SA,SU"),
      ("every monday", "FREQ=WEEKLY;BYDAY=MO"), ("mondays", "FREQ=WEEKLY;BYDAY=MO"), ("on fri", "FREQ=WEEKLY;BYDAY=FR"),
      ("every mon, wed and fri", "FREQ=WEEKLY;BYDAY=MO,WE,FR"), ("weekly on tues & thurs", "FREQ=WEEKLY;BYDAY=TU,TH"),
      ("every 2 weeks on monday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"),
      ("every other tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
      ("every other mon and thu at 7am", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;BYHOUR=7;BYMINUTE=0"),
      ("every month on the 1st", "FREQ=MONTHLY;BYMONTHDAY=1"),
      ("monthly on the 15th", "FREQ=MONTHLY;BYMONTHDAY=15"),
      ("every month on the 1st and 15th", "FREQ=MONTHLY;BYMONTHDAY=1,15"),
      ("every month on the last day", "FREQ=MONTHLY;BYMONTHDAY=-1"),
      ("every month on the 2nd to last day", "FREQ=MONTHLY;BYMONTHDAY=-2"),
      ("every month on the 31st or the last day", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"),
      ("every 2 months on the 30th or last day", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=28,29,30;BYSETPOS=-1"),
      ("yearly on the 29th or the last day of february", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1"),
      ("every month on the first and third tuesday", "FREQ=MONTHLY;BYDAY=1TU,3TU"),
      ("every month on the 1st monday and the last friday", "FREQ=MONTHLY;BYDAY=1MO,-1FR"),
      ("every month on the last weekday", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
      ("the last friday of every month", "FREQ=MONTHLY;BYDAY=-1FR"), ("1st of the month", "FREQ=MONTHLY;BYMONTHDAY=1"),
      ("every 2nd monday of the month", "FREQ=MONTHLY;BYDAY=2MO"),
      ("every month on friday the 13th", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR"),
      ("every year on 24 december", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"),
      ("every december 24th", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"),
      ("every 24 dec", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"),
      ("yearly on the 24th of december", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"),
      ("every year on the last friday of november", "FREQ=YEARLY;BYMONTH=11;BYDAY=-1FR"),
      ("every year on the 20th monday of the year", "FREQ=YEARLY;BYDAY=20MO"),
      ("every year on the 100th day of the year", "FREQ=YEARLY;BYYEARDAY=100"),
      ("every friday in june and july", "FREQ=WEEKLY;BYMONTH=6,7;BYDAY=FR"),
      ("every year on monday in week 20", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO"),
      ("daily at 09:00 and 18:00", "FREQ=DAILY;BYHOUR=9,18;BYMINUTE=0"),
      ("daily at 9am, 12pm, 6pm", "FREQ=DAILY;BYHOUR=9,12,18;BYMINUTE=0"),
      ("daily at 12am", "FREQ=DAILY;BYHOUR=0;BYMINUTE=0"),
      ("hourly at minutes 0 and 30", "FREQ=HOURLY;BYMINUTE=0,30"), ("daily, 10 times", "FREQ=DAILY;COUNT=10"),
      ("daily for 10 times", "FREQ=DAILY;COUNT=10"), ("weekly twice", "FREQ=WEEKLY;COUNT=2"),
      ("weekly until 2027-12-24", "FREQ=WEEKLY;UNTIL=20271224"),
      ("weekly until 31.12.2027", "FREQ=WEEKLY;UNTIL=20271231"),
      ("weekly until 12/24/2027, on fridays", "FREQ=WEEKLY;UNTIL=20271224;BYDAY=FR"),
      ("weekly until 24 dec 2027 on friday", "FREQ=WEEKLY;UNTIL=20271224;BYDAY=FR"),
      ("weekly until Dec 24, 2027 at 9am", "FREQ=WEEKLY;UNTIL=20271224;BYHOUR=9;BYMINUTE=0"),
      ("weekly until 24th of december 2027", "FREQ=WEEKLY;UNTIL=20271224"),
      ("weekly until 24.12.2027 18:30", "FREQ=WEEKLY;UNTIL=20271224T183000"),
      ("weekly until 2027-12-24 18:30", "FREQ=WEEKLY;UNTIL=20271224T183000"),
      ("weekly until 2027-12-24 18:30:15 UTC", "FREQ=WEEKLY;UNTIL=20271224T183015Z"),
      ("every 2 weeks with weeks from sunday on monday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;WKST=SU"),
    ])
  func understood(words: String, rule: String) throws {
    let read = try RecurrenceRule(words: words)
    #expect(read.description == rule)
    #expect(try RecurrenceRule(words: read.words) == read)
  }

  @Test(
    "a rule prints as people would say it",
    arguments: [
      ("FREQ=DAILY", "daily"), ("FREQ=WEEKLY", "weekly"), ("FREQ=MONTHLY", "monthly"), ("FREQ=YEARLY", "yearly"),
      ("FREQ=HOURLY", "hourly"), ("FREQ=MINUTELY", "every minute"), ("FREQ=DAILY;INTERVAL=3", "every 3 days"),
      ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "weekdays"), ("FREQ=WEEKLY;BYDAY=FR,MO", "every week on monday and friday"),
      ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYMONTH=6;COUNT=9", "weekdays in june, 9 times"),
      ("FREQ=MONTHLY;BYDAY=-1FR;COUNT=10", "every month on the last friday, 10 times"),
      ("FREQ=MONTHLY;BYDAY=1MO,3MO,-1FR", "every month on the 1st and 3rd monday and the last friday"),
      ("FREQ=MONTHLY;BYMONTHDAY=1,15,-1", "every month on the 1st, 15th and last day"),
      ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "every month on the last weekday"),
      ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "every month on friday that is the 13th"),
      ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "every year on the 24th of december"),
      ("FREQ=YEARLY;BYDAY=20MO", "every year on the 20th monday of the year"),
      ("FREQ=YEARLY;BYMONTHDAY=11", "every year on the 11th of each month"),
      ("FREQ=YEARLY;BYYEARDAY=-2,100", "every year on the 100th and 2nd to last day of the year"),
      ("FREQ=YEARLY;BYWEEKNO=-1,20;BYDAY=MO", "every year on monday in weeks 20 and -1"),
      ("FREQ=DAILY;BYHOUR=9,18;BYMINUTE=0,30", "every day at 09:00, 09:30, 18:00 and 18:30"),
      ("FREQ=DAILY;BYHOUR=9;COUNT=1", "every day in hour 9, once"),
      ("FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", "every month on the 31st or the last day"),
      ("FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1;COUNT=9", "every month on the 30th or the last day, 9 times"),
      ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1", "every year on the 29th or the last day of february"),
      ("FREQ=MONTHLY;BYMONTHDAY=27,28;BYSETPOS=-1", "every month on the 27th and 28th but only the last of them"),
      (
        "FREQ=YEARLY;BYMONTHDAY=28,29;BYSETPOS=-1",
        "every year on the 28th and 29th of each month but only the last of them"
      ),
      (
        "FREQ=MONTHLY;BYDAY=TU,WE;BYSETPOS=1,-1",
        "every month on tuesday and wednesday but only the 1st and last of them"
      ),
      (
        "FREQ=WEEKLY;INTERVAL=2;WKST=SU;UNTIL=20271224T080000Z",
        "every 2 weeks with weeks from sunday until 2027-12-24 08:00 utc"
      ),
    ])
  func said(rule: String, words: String) throws {
    let rule = try RecurrenceRule(rule)
    #expect(rule.words == words)
    #expect(try RecurrenceRule(words: words) == rule)
  }

  @Test(
    "words that are not understood, or that may mean two things, are refused",
    arguments: [
      ("", 0, "say how often"), ("dayly", 0, "did you mean 'daily'?"),
      ("every 2 weeks on mnoday", 17, "mean 'monday'?"), ("every 2 sprints", 8, "are expected"),
      ("every 500000000 quarters", 16, "1 to 1000000000"), ("every 1000000000 fortnights", 17, "1 to 1000000000"),
      ("every 500000000quarters", 6, "1 to 1000000000"), ("every 0h", 6, "1 to 1000000000"),
      ("every 99999999999999999999h", 6, "1 to 1000000000"),
      ("every 0 days", 6, "from 1 to 1000000000"), ("every 99999999999999999999 days", 6, "from 1 to"),
      ("every 2 weeks foo", 14, "after 'every 2 weeks' is not understood"), ("biweekly", 0, "say 'every 2 weeks'"),
      ("every 2nd monday", 0, "can mean every so many weeks or a day of the month"),
      ("on the 15th", 11, "say how often"),
      ("every year on the 15th", 22, "in which month"),
      ("every week on the first monday", 0, "needs a month or a year"),
      ("daily weekly", 12, "given twice"), ("daily, 0 times", 7, "from 1"),
      ("daily 5 times until 2027-01-01", 14, "only one end"),
      ("daily until tomorrow", 12, "a date is expected"), ("daily until 2027-02-29", 12, "a date is expected"),
      ("daily until 24.12.", 12, "a date is expected"), ("daily until 3.4.2027", 12, "a date is expected"),
      ("daily until 1st of month", 12, "a date is expected"), ("daily until 24 dec", 12, "a date is expected"),
      ("daily at 9:00 and 18:30", 9, "make one rule for each"), ("daily at 25:00", 9, "expected a time"),
      ("every month on monday and the 15th", 15, "make one rule for each kind"),
      ("every monday on friday", 16, "given twice"),
      ("every month on the last weekday at 09:00 and 18:00", 50, "one time"),
      ("every second", 6, "seconds are not supported"), ("every 5 seconds", 8, "seconds are not supported"),
      ("every year on the last friday of each month", 43, "need 'every month'"),
      ("daily on the 32nd", 9, "a day is expected"), ("daily on the 31st or the last day", 33, "needs every month"),
      ("every month on the 31st or the last day at 09:00 and 18:00", 58, "one time"),
      ("every month on the 28th or the last day", 24, "'or' after"),
      ("every month on the 2nd friday of the year", 41, "'of the year' needs"), ("every day only", 14, "only the last"),
      ("yearly in smarch", 10, "expected a month"), ("yearly in week 54", 15, "from 1 to 53"),
    ])
  func refused(words: String, position: Int, message: String) {
    let error = #expect(throws: RecurrenceRuleError.self) { try RecurrenceRule(words: words) }
    #expect(error?.position == position)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test("a text with an equals sign is RFC 5545, any other is words")
  func textOrWords() throws {
    #expect(try RecurrenceRule(textOrWords: "every 3 days") == RecurrenceRule(textOrWords: "FREQ=DAILY;INTERVAL=3"))
    let error = #expect(throws: RecurrenceRuleError.self) { try RecurrenceRule(textOrWords: "FREQ=DALY") }
    #expect(error?.position == 5)
  }
}
