import BelfryEngine

extension Session {
  /// The names of the people and sinks that a reminder of this list and category goes to at first: those of the first
  /// step of its escalation, or else of its routes.
  func firstNames(list: String, category: String?) -> [String] {
    settings.escalation(forList: list, category: category)?.steps.first?.to
      ?? settings.routes.names(forList: list, category: category) ?? assembly.sinks.map(\.name)
  }
}

extension NamedRecipient {
  /// The sink, with the person's address in parentheses.
  var place: String { address.map { "\(sink) (\($0))" } ?? sink }
}
