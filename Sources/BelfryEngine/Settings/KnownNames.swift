import CivilTime
import ConfigKeys

/// The names that a key of the config may give.
struct KnownNames {
  private let noun: String
  private let names: [String]
  private let known: Set<String>
  private let disabled: Set<String>

  /// Names that the file defines.
  ///
  /// - Parameters:
  ///   - noun: the kind of thing, for messages.
  ///   - disabled: the names among them of sinks that are switched off.
  init(_ noun: String, _ names: [String], disabled: Set<String> = []) {
    self.noun = noun
    self.names = names
    known = Set(names)
    self.disabled = disabled
  }

  /// True if a name is among them.
  func contains(_ name: String) -> Bool { known.contains(name) }

  /// Reports names that are unknown, and warns of sinks that are switched off.
  func check(_ given: [Located<String>], _ report: inout ConfigReport) {
    for name in given {
      if !known.contains(name.value) {
        let suggestion = Suggestion.text(for: name.value, among: names)
        report.error("unknown \(noun) \(inQuotes(name.value))\(suggestion)", at: name.position)
      } else if disabled.contains(name.value) {
        report.warning("the sink \(inQuotes(name.value)) is switched off", at: name.position)
      }
    }
  }
}

/// The names that the file defines; `nil` for those whose section is itself invalid.
struct DefinedNames {
  let sinks: KnownNames?
  /// The names of sinks and of people together.
  let recipients: KnownNames?
  let escalations: KnownNames?

  init(_ section: ConfigSection, _ contents: ConfigContents) {
    // A name with an invalid section still counts as defined.
    let sinks = section.names(under: contents.sinksKey.name)?.map(\.value)
    let people = section.names(under: contents.peopleKey.name)?.map(\.value)
    let disabled = Set((contents.sinks ?? []).filter { !$0.isEnabled }.map(\.name))
    self.sinks = sinks.map { KnownNames("sink", $0, disabled: disabled) }
    recipients =
      if let sinks, let people { KnownNames("person or sink", people + sinks, disabled: disabled) } else { nil }
    escalations = section.names(under: contents.escalationsKey.name).map {
      KnownNames("escalation", $0.map(\.value))
    }
  }
}
