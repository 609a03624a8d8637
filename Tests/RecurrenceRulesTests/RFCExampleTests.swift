import CivilTime
import RecurrenceRules
import Testing

/// An example of RFC 5545, section 3.8.5.3 (and 3.3.10): start, rule, occurrences.
struct RFCExample: Sendable, CustomTestStringConvertible {
  let start: String
  let rule: String
  /// Years of four digits and a colon, days as month and day: `1997: 0902 0903`.
  let days: String
  /// True if these are all occurrences.
  let isAll: Bool

  init(_ start: String, _ rule: String, _ days: String, isAll: Bool = true) {
    self.start = start
    self.rule = rule
    self.days = days
    self.isAll = isAll
  }

  var testDescription: String { rule }

  var expected: [String] {
    var year: Substring = ""
    return days.split(separator: " ").compactMap { word in
      if word.hasSuffix(":") {
        year = word.dropLast()
        return nil
      }
      return "\(year)\(word)T090000"
    }
  }

  static let all: [RFCExample] = [
    .init("19970902", "DAILY;COUNT=10", "1997: 0902 0903 0904 0905 0906 0907 0908 0909 0910 0911"),
    .init("19970902", "DAILY;INTERVAL=2", "1997: 0902 0904 0906 0908 0910 0912 0914 0916 0918 0920 0922", isAll: false),
    .init("19970902", "DAILY;INTERVAL=10;COUNT=5", "1997: 0902 0912 0922 1002 1012"),
    .init("19970902", "WEEKLY;COUNT=10", "1997: 0902 0909 0916 0923 0930 1007 1014 1021 1028 1104"),
    .init(
      "19970902", "WEEKLY;UNTIL=19971224T000000Z",
      "1997: 0902 0909 0916 0923 0930 1007 1014 1021 1028 1104 1111 1118 1125 1202 1209 1216 1223"),
    .init(
      "19970902", "WEEKLY;INTERVAL=2;WKST=SU",
      "1997: 0902 0916 0930 1014 1028 1111 1125 1209 1223 1998: 0106 0120 0203 0217", isAll: false),
    .init(
      "19970902", "WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
      "1997: 0902 0904 0909 0911 0916 0918 0923 0925 0930 1002"),
    .init(
      "19970902", "WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", "1997: 0902 0904 0909 0911 0916 0918 0923 0925 0930 1002"),
    .init(
      "19970901", "WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
      "1997: 0901 0903 0905 0915 0917 0919 0929 1001 1003 1013 1015 1017 1027 1029 1031 1110 1112 1114 1124 1126 1128 "
        + "1208 1210 1212 1222"),
    .init(
      "19970902", "WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "1997: 0902 0904 0916 0918 0930 1002 1014 1016"),
    .init(
      "19970905", "MONTHLY;COUNT=10;BYDAY=1FR",
      "1997: 0905 1003 1107 1205 1998: 0102 0206 0306 0403 0501 0605"),
    .init("19970905", "MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "1997: 0905 1003 1107 1205"),
    .init(
      "19970907", "MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
      "1997: 0907 0928 1102 1130 1998: 0104 0125 0301 0329 0503 0531"),
    .init("19970922", "MONTHLY;COUNT=6;BYDAY=-2MO", "1997: 0922 1020 1117 1222 1998: 0119 0216"),
    .init("19970928", "MONTHLY;BYMONTHDAY=-3", "1997: 0928 1029 1128 1229 1998: 0129 0226", isAll: false),
    .init(
      "19970902", "MONTHLY;COUNT=10;BYMONTHDAY=2,15",
      "1997: 0902 0915 1002 1015 1102 1115 1202 1215 1998: 0102 0115"),
    .init(
      "19970930", "MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
      "1997: 0930 1001 1031 1101 1130 1201 1231 1998: 0101 0131 0201"),
    .init(
      "19970910", "MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
      "1997: 0910 0911 0912 0913 0914 0915 1999: 0310 0311 0312 0313"),
    .init(
      "19970902", "MONTHLY;INTERVAL=2;BYDAY=TU",
      "1997: 0902 0909 0916 0923 0930 1104 1111 1118 1125 1998: 0106 0113 0120 0127 0303 0310 0317 0324 0331",
      isAll: false),
    .init(
      "19970610", "YEARLY;COUNT=10;BYMONTH=6,7",
      "1997: 0610 0710 1998: 0610 0710 1999: 0610 0710 2000: 0610 0710 2001: 0610 0710"),
    .init(
      "19970310", "YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
      "1997: 0310 1999: 0110 0210 0310 2001: 0110 0210 0310 2003: 0110 0210 0310"),
    .init(
      "19970101", "YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
      "1997: 0101 0410 0719 2000: 0101 0409 0718 2003: 0101 0410 0719 2006: 0101"),
    .init("19970519", "YEARLY;BYDAY=20MO", "1997: 0519 1998: 0518 1999: 0517", isAll: false),
    .init("19970512", "YEARLY;BYWEEKNO=20;BYDAY=MO", "1997: 0512 1998: 0511 1999: 0517", isAll: false),
    .init(
      "19970313", "YEARLY;BYMONTH=3;BYDAY=TH",
      "1997: 0313 0320 0327 1998: 0305 0312 0319 0326 1999: 0304 0311 0318 0325", isAll: false),
    .init(
      "19970605", "YEARLY;BYDAY=TH;BYMONTH=6,7,8",
      "1997: 0605 0612 0619 0626 0703 0710 0717 0724 0731 0807 0814 0821 0828 1998: 0604 0611 0618", isAll: false),
    .init(
      "19970902", "MONTHLY;BYDAY=FR;BYMONTHDAY=13", "1998: 0213 0313 1113 1999: 0813 2000: 1013", isAll: false),
    .init(
      "19970913", "MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
      "1997: 0913 1011 1108 1213 1998: 0110 0207 0307 0411 0509 0613", isAll: false),
    .init(
      "19961105", "YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
      "1996: 1105 2000: 1107 2004: 1102", isAll: false),
    .init("19970904", "MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997: 0904 1007 1106"),
    .init(
      "19970929", "MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
      "1997: 0929 1030 1127 1230 1998: 0129 0226 0330", isAll: false),
    .init("19970805", "WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997: 0805 0810 0819 0824"),
    .init("19970805", "WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997: 0805 0817 0819 0831"),
    .init("20070115", "MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007: 0115 0130 0215 0315 0330"),
    .init("19970930", "MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "1997: 0930 1031 1128 1231 1998: 0130", isAll: false),
  ]
}

struct RFCExampleTests {
  /// The wall-clock time in New York: UTC minus 4 hours in the summer months, minus 5 in the others.
  private func inNewYork(_ time: CivilDateTime) -> CivilDateTime {
    CivilDateTime(secondsSinceEpoch: time.secondsSinceEpoch - (4...10 ~= time.date.month ? 4 : 5) * 3_600)
  }

  @Test("an example of RFC 5545 gives the days that stand there", arguments: RFCExample.all)
  func days(example: RFCExample) throws {
    let rule = try RecurrenceRule("RRULE:FREQ=" + example.rule).withLocalUntil(inNewYork)
    let set = RecurrenceSet(start: try time(example.start + "T090000"), rule: rule)
    let expected = example.expected
    #expect(texts(set, expected.count + (example.isAll ? 1 : 0)) == expected)
  }

  @Test("daily until 24 December ends on the 23rd, as UNTIL is midnight in UTC")
  func dailyUntil() throws {
    let rule = try RecurrenceRule("FREQ=DAILY;UNTIL=19971224T000000Z").withLocalUntil(inNewYork)
    let all = Array(RecurrenceSet(start: try time("19970902T090000"), rule: rule))
    #expect(all.count == 113)
    #expect(all.last?.description == "19971223T090000")
  }

  @Test(
    "every day in January for three years, said yearly and said daily",
    arguments: ["FREQ=YEARLY;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", "FREQ=DAILY;BYMONTH=1"])
  func january(rule: String) throws {
    let rule = try RecurrenceRule(rule + ";UNTIL=20000131T140000Z").withLocalUntil(inNewYork)
    let all = Array(RecurrenceSet(start: try time("19980101T090000"), rule: rule))
    #expect(all.count == 93)
    #expect(all.allSatisfy { $0.date.month == 1 })
    #expect(all.last?.description == "20000131T090000")
  }

  @Test(
    "every 20 minutes from 9:00 to 16:40, said daily and said minutely",
    arguments: [
      "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
      "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
    ])
  func every20Minutes(rule: String) throws {
    let first = Array(try recurrence("19970902T090000", rule).prefix(25))
    #expect(first.map(\.minute) == (0..<25).map { $0 % 3 * 20 })
    #expect(first.map(\.hour) == (0..<24).map { 9 + $0 / 3 } + [9])
    #expect(first[23].description == "19970902T164000")
    #expect(first[24].description == "19970903T090000")
  }

  @Test(
    "hours and minutes within a day",
    arguments: [
      // The RFC has UNTIL=19970902T170000Z, which is 13:00 in New York, for "to 5:00 PM"; its listed occurrences need
      // 21:00 UTC.
      ("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z", ["090000", "120000", "150000"]),
      ("FREQ=MINUTELY;INTERVAL=15;COUNT=6", ["090000", "091500", "093000", "094500", "100000", "101500"]),
      ("FREQ=MINUTELY;INTERVAL=90;COUNT=4", ["090000", "103000", "120000", "133000"]),
    ])
  func withinADay(rule: String, times: [String]) throws {
    let rule = try RecurrenceRule(rule).withLocalUntil(inNewYork)
    let set = RecurrenceSet(start: try time("19970902T090000"), rule: rule)
    #expect(texts(set, 10) == times.map { "19970902T" + $0 })
  }

  @Test("every Sunday in January at 8:30 and 9:30, every other year")
  func expandedAtOnce() throws {
    let rule = "FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30"
    let expected = ["05", "12", "19", "26"].flatMap { ["199701\($0)T083000", "199701\($0)T093000"] }
    #expect(texts(try recurrence("19970105T083000", rule), 9) == expected + ["19990103T083000"])
  }
}
