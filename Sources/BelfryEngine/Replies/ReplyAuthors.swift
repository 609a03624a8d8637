/// The people who answer over their own channels, as far as a sink says who they are.
package struct ReplyAuthors: Sendable {
  /// The person of each sink that reaches one person only.
  private let owners: [String: Person]
  /// The person with each identity on the other side.
  private let correspondents: [String: Person]

  /// The people of a config.
  ///
  /// - Parameter sinks: the enabled sinks.
  package init(_ settings: Settings, sinks: [ActiveSink]) {
    owners = settings.peopleBySink
    let known = settings.people.flatMap { person in
      Set(sinks.filter { person.sinks.contains($0.name) }.compactMap(\.sink.correspondent)).map { ($0, person) }
    }
    correspondents = Dictionary(grouping: known) { $0.0 }.compactMapValues { $0.count == 1 ? $0.first?.1 : nil }
  }

  /// The author of a reply over a sink; `nil` if only its token identifies the author.
  func author(of reply: Reply, over sink: String) -> Press.Author? {
    let known = reply.sender.flatMap { correspondents[$0] }
    if case .token = reply.button { return known.map { .name($0.name) } }
    return (known ?? owners[sink]).map { .name($0.name) }
  }
}
