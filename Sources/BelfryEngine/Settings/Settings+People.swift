extension Settings {
  /// The person with a name; `nil` if the config has none of that name.
  public func person(_ name: String) -> Person? { people.first { $0.name == name } }

  /// The addresses of the people whom a sink reaches.
  public func addresses(throughSink name: String) -> Set<String> {
    Set(people.filter { $0.sinks.contains(name) }.compactMap(\.address))
  }

  /// The one person whom a sink reaches, by the sink's name; sinks that reach several people, or none, are missing.
  public var peopleBySink: [String: Person] {
    let reached = people.flatMap { person in person.sinks.map { (sink: $0, person: person) } }
    return Dictionary(grouping: reached, by: \.sink).compactMapValues { $0.count == 1 ? $0.first?.person : nil }
  }
}
