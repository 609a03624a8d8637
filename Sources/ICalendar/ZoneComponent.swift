import CivilTime

/// A VTIMEZONE for a zone, from 1970 on (RFC 5545, section 3.6.5).
package enum ZoneComponent {
  /// The last year whose changes are listed; a rule that holds until then holds forever. Zone files themselves have
  /// only a rule from 2038 on, but Morocco's changes follow the moon until 2087.
  private static let lastYear = 2_120

  /// The lines of the component.
  package static func lines(_ zone: Zone) -> [String] {
    let transitions = ZoneTransition.all(of: zone, throughYear: lastYear)
    var lines = ["BEGIN:VTIMEZONE", "TZID:\(zone.identifier)"]
    let first = transitions.first?.from ?? zone.offset(at: .init(timeIntervalSince1970: 0))
    let name = zone.abbreviation(at: .init(timeIntervalSince1970: 0))
    lines += [
      "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:\(offset(first))", "TZOFFSETTO:\(offset(first))",
      "TZNAME:\(name)", "END:STANDARD",
    ]
    let observances = ZoneObservance.all(of: transitions)
    var singles: [ZoneObservance] = []
    for observance in observances {
      if let rule = observance.recurrence(isEndless: observance.lastYear >= lastYear) {
        lines += component(observance.transitions[0], ["RRULE:\(rule)"])
      } else {
        singles.append(observance)
      }
    }
    return lines + listed(singles.flatMap(\.transitions)) + ["END:VTIMEZONE"]
  }

  /// Changes without a rule, grouped by offsets and name.
  private static func listed(_ transitions: [ZoneTransition]) -> [String] {
    struct Kind: Hashable {
      let from: Int
      let to: Int
      let name: String
    }
    var kinds: [Kind] = []
    var groups: [Kind: [ZoneTransition]] = [:]
    for transition in transitions {
      let kind = Kind(from: transition.from, to: transition.to, name: transition.name)
      if groups[kind] == nil { kinds.append(kind) }
      groups[kind, default: []].append(transition)
    }
    return kinds.flatMap { kind -> [String] in
      guard let group = groups[kind], let first = group.first else { return [] }
      let dates = group.dropFirst().map { CivilDateTime(secondsSinceEpoch: $0.local).description }
      return component(first, dates.isEmpty ? [] : ["RDATE:\(dates.joined(separator: ","))"])
    }
  }

  private static func component(_ first: ZoneTransition, _ recurrence: [String]) -> [String] {
    let kind = first.to > first.from ? "DAYLIGHT" : "STANDARD"
    return [
      "BEGIN:\(kind)", "DTSTART:\(CivilDateTime(secondsSinceEpoch: first.local))", "TZOFFSETFROM:\(offset(first.from))",
      "TZOFFSETTO:\(offset(first.to))", "TZNAME:\(first.name)",
    ] + recurrence + ["END:\(kind)"]
  }

  /// A value of type UTC-OFFSET (section 3.3.14), with seconds if they are not 0.
  private static func offset(_ seconds: Int) -> String {
    let size = abs(seconds)
    let rest = size % 60 == 0 ? "" : (size % 60).padded(to: 2)
    return (seconds < 0 ? "-" : "+") + (size / 3_600).padded(to: 2) + (size / 60 % 60).padded(to: 2) + rest
  }
}
