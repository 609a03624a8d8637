import ConfigKeys

/// A section under a name of the user's choice, as it is read.
protocol NamedDraft: Sendable {
  /// The name, which is empty until the section was found under a name.
  var name: String { get set }
}

extension ConfigType {
  /// Sections under names of the user's choice, in the file's order.
  static func map<Draft: NamedDraft>(of draft: ConfigType<Draft>) -> ConfigType where Value == [Draft] {
    .map(of: draft) { name, draft in
      var draft = draft
      draft.name = name
      return draft
    }
  }
}
