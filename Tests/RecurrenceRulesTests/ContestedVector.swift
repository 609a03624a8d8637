/// A published vector on which sources disagree, with Belfry's choice and its reason.
struct ContestedVector {
  enum Stance {
    /// sabre counts a start that the rule does not match. RFC 5545, section 3.8.5.3, calls this undefined; dateutil
    /// leaves it out, and so does Belfry: every occurrence then matches the rule.
    case unmatchedStartIsNoOccurrence
    /// As above; in sabre only the start keeps the rule from being empty.
    case nothingMatches
    /// sabre reads day -366 of a year with 365 days as the last day of the year before. A day that the year does not
    /// have is ignored (RFC 5545, section 3.3.10, "such recurrence instances MUST be ignored").
    case missingYearDay
    /// sabre counts weeks from the end one too far; in RFC 5545 -1 is the last week.
    case weekFromTheEnd
    /// For BYWEEKNO without BYDAY sabre takes Monday, dateutil every day of the week. Belfry follows dateutil, as
    /// BYMONTH and BYYEARDAY also mean every day that they name.
    case weekWithoutDay
    /// sabre ignores BYYEARDAY and BYWEEKNO with FREQ=DAILY, where RFC 5545 does not define them. In dateutil they
    /// limit the rule, and so they do in Belfry.
    case partsThatNarrow
  }

  let stance: Stance
  /// The first occurrences in Belfry.
  let ours: [String]
  /// True if these are all occurrences.
  var isAll = false

  static let all: [Int: ContestedVector] = [
    10_100: .init(
      stance: .unmatchedStartIsNoOccurrence, ours: ["20270129T120000", "20270226T120000", "20270326T120000"],
      isAll: true),
    399: .init(
      stance: .unmatchedStartIsNoOccurrence,
      ours: ["20140804T000000", "20140811T000000", "20140818T000000", "20140825T000000"], isAll: true),
    416: .init(stance: .nothingMatches, ours: [], isAll: true),
    436: .init(
      stance: .unmatchedStartIsNoOccurrence, ours: ["20111028T145311", "20140709T145311", "20141028T145311"]),
    440: .init(stance: .missingYearDay, ours: ["20040101T145311", "20080101T145311", "20120101T145311"]),
    443: .init(
      stance: .unmatchedStartIsNoOccurrence, ours: ["20210329T000000", "20210412T000000", "20211213T000000"],
      isAll: true),
    448: .init(stance: .nothingMatches, ours: [], isAll: true),
    450: .init(stance: .unmatchedStartIsNoOccurrence, ours: ["20110517T000000", "20120515T000000", "20130514T000000"]),
    451: .init(stance: .weekFromTheEnd, ours: ["20120814T000000", "20120817T000000", "20130813T000000"]),
    452: .init(stance: .unmatchedStartIsNoOccurrence, ours: ["20120515T090000", "20120518T090000", "20130514T090000"]),
    453: .init(stance: .weekWithoutDay, ours: ["20110516T000000", "20110517T000000", "20110518T000000"]),
    454: .init(stance: .unmatchedStartIsNoOccurrence, ours: ["20110517T000000", "20110520T000000", "20111213T000000"]),
    461: .init(stance: .nothingMatches, ours: [], isAll: true),
    462: .init(stance: .partsThatNarrow, ours: ["20150101T000101", "20180101T000101"], isAll: true),
    464: .init(stance: .nothingMatches, ours: [], isAll: true),
  ]
}
