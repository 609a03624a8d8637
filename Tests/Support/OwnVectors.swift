package enum OwnVectors {
  /// Vectors of rules in the form of the published ones, a line each. The times are those of Python's dateutil; of the
  /// last one they are those of libraries that count a start that the rule does not match.
  package static let lines = #"""
    {"id": 10001, "test": "own", "rrule": "FREQ=DAILY;COUNT=4", "dtstart": "20270104T090000", "expected": ["20270104T090000", "20270105T090000", "20270106T090000", "20270107T090000"]}
    {"id": 10002, "test": "own", "rrule": "FREQ=DAILY;INTERVAL=10;UNTIL=20270203T090000", "dtstart": "20270104T090000", "expected": ["20270104T090000", "20270114T090000", "20270124T090000", "20270203T090000"]}
    {"id": 10003, "test": "own", "rrule": "FREQ=WEEKLY;BYDAY=MO,TH;COUNT=5", "dtstart": "20270104T090000", "expected": ["20270104T090000", "20270107T090000", "20270111T090000", "20270114T090000", "20270118T090000"]}
    {"id": 10004, "test": "own", "rrule": "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,SU;COUNT=5", "dtstart": "20270105T180000", "expected": ["20270105T180000", "20270117T180000", "20270119T180000", "20270131T180000", "20270202T180000"]}
    {"id": 10005, "test": "own", "rrule": "FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=TU,SU;COUNT=5", "dtstart": "20270105T180000", "expected": ["20270105T180000", "20270110T180000", "20270119T180000", "20270124T180000", "20270202T180000"]}
    {"id": 10006, "test": "own", "rrule": "FREQ=MONTHLY;COUNT=5", "dtstart": "20270131T080000", "expected": ["20270131T080000", "20270331T080000", "20270531T080000", "20270731T080000", "20270831T080000"]}
    {"id": 10007, "test": "own", "rrule": "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=4", "dtstart": "20270131T080000", "expected": ["20270131T080000", "20270228T080000", "20270331T080000", "20270430T080000"]}
    {"id": 10008, "test": "own", "rrule": "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3", "dtstart": "20270129T120000", "expected": ["20270129T120000", "20270226T120000", "20270326T120000"]}
    {"id": 10009, "test": "own", "rrule": "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4", "dtstart": "20270129T120000", "expected": ["20270129T120000", "20270226T120000", "20270331T120000", "20270430T120000"]}
    {"id": 10010, "test": "own", "rrule": "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=13;COUNT=3", "dtstart": "20270213T070000", "expected": ["20270213T070000", "20270313T070000", "20271113T070000"]}
    {"id": 10011, "test": "own", "rrule": "FREQ=YEARLY;COUNT=3", "dtstart": "20280229T060000", "expected": ["20280229T060000", "20320229T060000", "20360229T060000"]}
    {"id": 10012, "test": "own", "rrule": "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU;COUNT=3", "dtstart": "20270314T100000", "expected": ["20270314T100000", "20280312T100000", "20290311T100000"]}
    {"id": 10013, "test": "own", "rrule": "FREQ=YEARLY;BYYEARDAY=1,100,-1;COUNT=5", "dtstart": "20270101T000000", "expected": ["20270101T000000", "20270410T000000", "20271231T000000", "20280101T000000", "20280409T000000"]}
    {"id": 10014, "test": "own", "rrule": "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3", "dtstart": "20270517T090000", "expected": ["20270517T090000", "20280515T090000", "20290514T090000"]}
    {"id": 10015, "test": "own", "rrule": "FREQ=HOURLY;INTERVAL=5;COUNT=4", "dtstart": "20270104T220000", "expected": ["20270104T220000", "20270105T030000", "20270105T080000", "20270105T130000"]}
    {"id": 10016, "test": "own", "rrule": "FREQ=MINUTELY;INTERVAL=15;COUNT=4", "dtstart": "20270104T235000", "expected": ["20270104T235000", "20270105T000500", "20270105T002000", "20270105T003500"]}
    {"id": 10017, "test": "own", "rrule": "FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30;COUNT=6", "dtstart": "20270104T090000", "expected": ["20270104T090000", "20270104T093000", "20270104T170000", "20270104T173000", "20270105T090000", "20270105T093000"]}
    {"id": 10018, "test": "own", "rrule": "FREQ=DAILY;BYMONTH=1,6;BYDAY=MO;COUNT=6", "dtstart": "20270104T090000", "expected": ["20270104T090000", "20270111T090000", "20270118T090000", "20270125T090000", "20270607T090000", "20270614T090000"]}
    {"id": 10019, "test": "own", "rrule": "FREQ=MONTHLY;INTERVAL=18;COUNT=3", "dtstart": "20270101T090000", "expected": ["20270101T090000", "20280701T090000", "20300101T090000"]}
    {"id": 10020, "test": "own", "rrule": "FREQ=WEEKLY;UNTIL=20270125T093000", "dtstart": "20270104T093000", "expected": ["20270104T093000", "20270111T093000", "20270118T093000", "20270125T093000"]}
    {"id": 10021, "test": "own", "rrule": "FREQ=MONTHLY;BYDAY=1SU,-1SU;COUNT=5", "dtstart": "20270103T110000", "expected": ["20270103T110000", "20270131T110000", "20270207T110000", "20270228T110000", "20270307T110000"]}
    {"id": 10022, "test": "own", "rrule": "FREQ=FORTNIGHTLY", "dtstart": "20270104T090000", "expect_error": "refused"}
    {"id": 10023, "test": "own", "rrule": "COUNT=3", "dtstart": "20270104T090000", "expect_error": "refused"}
    {"id": 10024, "test": "own", "rrule": "FREQ=DAILY;INTERVAL=0", "dtstart": "20270104T090000", "expect_error": "refused"}
    {"id": 10025, "test": "own", "rrule": "FREQ=DAILY;COUNT=2;COUNT=3", "dtstart": "20270104T090000", "expect_error": "refused"}
    {"id": 10026, "test": "own", "rrule": "FREQ=MONTHLY;BYMONTHDAY=32", "dtstart": "20270104T090000", "expect_error": "refused"}
    {"id": 10027, "test": "own", "rrule": "FREQ=WEEKLY;BYDAY=XX", "dtstart": "20270104T090000", "expect_error": "refused"}
    {"id": 10028, "test": "own", "rrule": "FREQ=YEARLY;BYMONTH=13", "dtstart": "20270104T090000", "expect_error": "refused"}
    {"id": 10029, "test": "own", "rrule": "FREQ=DAILY;UNTIL=yesterday", "dtstart": "20270104T090000", "expect_error": "refused"}
    {"id": 10030, "test": "own", "rrule": "FREQ=DAILY;INTERVAL=-1", "dtstart": "20270104T090000", "expect_error": "refused"}
    {"id": 10031, "test": "own", "rrule": "", "dtstart": "20270104T090000", "expect_error": "refused"}
    {"id": 10032, "test": "own", "rrule": "FREQ=SECONDLY", "dtstart": "20270104T090000"}
    {"id": 10033, "test": "own", "rrule": "FREQ=SECONDLY;INTERVAL=30;COUNT=2", "dtstart": "20270104T090000"}
    {"id": 10034, "test": "own", "ical": "DTSTART:20270104T090000\nRRULE:FREQ=DAILY;COUNT=4\nEXDATE:20270105T090000", "expected": ["20270104T090000", "20270106T090000", "20270107T090000"]}
    {"id": 10035, "test": "own", "ical": "DTSTART:20270104T090000\nRRULE:FREQ=WEEKLY;COUNT=2\nRDATE:20270105T100000", "expected": ["20270104T090000", "20270105T100000", "20270111T090000"]}
    {"id": 10036, "test": "own", "ical": "DTSTART:20270104T090000\nRRULE:FREQ=DAILY;COUNT=5\nEXRULE:FREQ=DAILY;INTERVAL=2;COUNT=3", "expected": ["20270105T090000", "20270107T090000"]}
    {"id": 10100, "test": "own", "rrule": "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3", "dtstart": "20270101T120000", "expected": ["20270101T120000", "20270129T120000", "20270226T120000"]}
    """#
}
