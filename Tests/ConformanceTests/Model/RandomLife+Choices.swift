import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation

extension RandomLife {
  func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  func someZone() -> ItemZone { chance(75) ? .floating : .fixed(pick(Self.zoneNames)) }

  func someLeads() -> Set<CalendarDuration> {
    let (day, hours, ten) = (
      CalendarDuration(days: 1, minutes: 0), CalendarDuration(days: 0, minutes: 1_440),
      CalendarDuration(days: 0, minutes: 10)
    )
    return pick([[.zero], [.zero], [.zero, ten], [ten], [day, hours], [day, .zero]])
  }

  /// A wall-clock time around now in Zurich, mostly soon.
  func somewhen() -> WallTime {
    let minutes =
      chance(70)
      ? Int.random(in: -5...40, using: &random) : Int.random(in: -3_000...4_000, using: &random)
    return WallTime(minutesSinceEpoch: Int(time.now.timeIntervalSince1970) / 60 + 60 + minutes)
  }

  func anyItem() -> Int64? { model.facts.items.keys.sorted().randomElement(using: &random) }

  /// A few item numbers, sometimes one of them unknown.
  func someItems() -> [Int64] {
    var ids = Array(Set((0..<pick([1, 1, 2, 3])).compactMap { _ in anyItem() }).sorted())
    if chance(10) || ids.isEmpty { ids.insert(pick([0, 999]), at: 0) }
    return ids
  }

  /// True if all items exist; if not, the work must fail.
  func isPossible(_ ids: [Int64], _ work: () throws -> Void) throws -> Bool {
    guard ids.contains(where: { model.facts.items[$0] == nil }) else {
      try work()
      return true
    }
    try Check.throwsError(.notFound, work)
    return false
  }
}
