import Foundation
import RecurrenceRules
import TestSupport

/// Our own rules, those of the corpus, and rules with the extreme values of every BY part.
enum EveryRule {
  /// The rules that the parser accepts.
  static let all = (written + atTheEdges).filter { (try? RecurrenceRule($0)) != nil }

  /// The rules of all vectors and calendars.
  static let written = (vectors + calendars).unique()

  private static var vectors: [String] {
    let own = OwnVectors.lines.split(separator: "\n").map(String.init)
    return (own + lines(of: Corpus.file("rrule/vectors.jsonl"))).compactMap { line in
      let vector = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return vector?["rrule"] as? String
    }
  }

  private static var calendars: [String] {
    Corpus.calendars.flatMap(lines).filter { $0.hasPrefix("RRULE:") }
  }

  private static func lines(of file: URL) -> [String] {
    guard let data = try? Data(contentsOf: file) else { return [] }
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
  }

  /// The smallest and largest values of each BY part, alone and all together, with each FREQ.
  static let atTheEdges: [String] = {
    let days = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    let everyDay = days.joined(separator: ",")
    let numbers: [(part: String, range: ClosedRange<Int>, isSigned: Bool)] = [
      ("BYSECOND", 0...60, false), ("BYMINUTE", 0...59, false), ("BYHOUR", 0...23, false),
      ("BYMONTHDAY", 1...31, true), ("BYYEARDAY", 1...366, true), ("BYWEEKNO", 1...53, true),
      ("BYMONTH", 1...12, false), ("BYDAY=\(everyDay);BYSETPOS", 1...366, true),
      ("BYSECOND=0,1,2,30,59,60;BYSETPOS", 1...366, true),
    ]
    var parts = numbers.flatMap { part, range, isSigned in
      let edges = [range.lowerBound, range.lowerBound + 1, range.upperBound - 1, range.upperBound]
      let all = Array(range) + (isSigned ? range.map { -$0 } : [])
      let values = (edges + (isSigned ? edges.map { -$0 } : [])).map(String.init)
      return (values + [all.map(String.init).joined(separator: ",")]).map { "\(part)=\($0)" }
    }
    parts += [1, 2, 5, 53, -1, -5, -53].map { "BYDAY=\($0)MO" } + ["BYDAY=\(everyDay)", "BYDAY=-53SU,53MO,TU"]
    parts += [1, 2, 7, 59, 1_439, 366, 999_999_937, 1_000_000_000].map { "INTERVAL=\($0)" }
    parts += [1, 2, 1_000_000_000].map { "COUNT=\($0)" } + ["COUNT=1000000000;INTERVAL=1000000000"]
    parts += ["00000101", "19691231T235959Z", "20261121T080100Z", "20261121T090130", "99991231T235959Z"]
      .map { "UNTIL=\($0)" }
    parts += ["BYSECOND=0,30;COUNT=3", "BYSECOND=59;UNTIL=20261122T080159Z", "BYMONTH=2;BYMONTHDAY=30"]
    parts += ["BYMONTH=2;BYMONTHDAY=29;INTERVAL=7", "INTERVAL=7;BYMINUTE=59;BYHOUR=23;BYSECOND=30"]
    return RecurrenceRule.Frequency.allCases.flatMap { frequency in
      parts.map { "FREQ=\(frequency.rawValue);\($0)" }
    }
  }()
}

extension [String] {
  fileprivate func unique() -> [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
