import CivilTime
import ConfigKeys

/// Checks people and escalations against sinks, categories and lists.
struct PeopleCheck {
  let section: ConfigSection
  let contents: ConfigContents
  let names: DefinedNames

  /// Reports people who are named like sinks; unknown sinks, people and escalations; and a proxy header without any
  /// people that it could name.
  func run(_ report: inout ConfigReport) {
    for person in section.names(under: contents.peopleKey.name) ?? [] where names.sinks?.contains(person.value) == true
    {
      report.error("a sink is called \(inQuotes(person.value)) too: rename one of them", at: person.position)
    }
    if contents.settings.web.userHeader != nil, contents.people.isEmpty {
      report.warning(
        "nobody can sign in by 'user_header': it names one of 'people', and 'people' is empty",
        at: section.position(of: ConfigSchema.webKey))
    }
    names.sinks?.check(contents.people.flatMap(\.sinks), &report)
    names.recipients?.check(contents.escalations.flatMap(\.names), &report)
    let escalations = contents.categories.map(\.escalation) + contents.lists.map(\.escalation)
    names.escalations?.check(escalations.compactMap(\.?.name), &report)
  }
}
