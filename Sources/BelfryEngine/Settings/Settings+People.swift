extension Settings {
  /// The escalation of the reminders of a list and category; `nil` for none.
  ///
  /// The category decides before the list, and of the patterns for lists the first that matches.
  public func escalation(forList list: String, category identifier: String?) -> Escalation? {
    let rule = identifier.flatMap(category)?.escalation ?? lists.first { $0.pattern.matches(list) }?.escalation
    return rule?.escalation(among: escalations)
  }

  /// The person with a name; `nil` where the config has none of that name.
  public func person(_ name: String) -> Person? { people.first { $0.name == name } }

  /// The addresses of the people whom a sink reaches.
  public func addresses(throughSink name: String) -> Set<String> {
    Set(people.filter { $0.sinks.contains(name) }.compactMap(\.address))
  }

  /// The one person whom a sink reaches, by the sink's name; sinks that reach several, or nobody, are missing.
  public var peopleBySink: [String: Person] {
    let reached = people.flatMap { person in person.sinks.map { (sink: $0, person: person) } }
    return Dictionary(grouping: reached, by: \.sink).compactMapValues { $0.count == 1 ? $0.first?.person : nil }
  }
}
