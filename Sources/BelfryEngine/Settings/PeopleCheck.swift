import CivilTime
import ConfigKeys

/// Checks people and escalations against sinks, categories and lists.
struct PeopleCheck {
  let section: ConfigSection
  let contents: ConfigContents
  let names: DefinedNames

  /// Reports people called like sinks, and unknown sinks, people and escalations.
  func run(_ report: inout ConfigReport) {
    for person in section.names(under: contents.peopleKey.name) ?? [] where names.sinks?.contains(person.value) == true
    {
      report.error("a sink is called \(inQuotes(person.value)) too: rename one of them", at: person.position)
    }
    names.sinks?.check(contents.people.flatMap(\.sinks), &report)
    names.recipients?.check(contents.escalations.flatMap(\.names), &report)
    let ladders = contents.categories.map(\.ladder) + contents.lists.map(\.ladder)
    names.escalations?.check(ladders.compactMap(\.?.escalation), &report)
  }
}
