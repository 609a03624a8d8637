/// The config keys of one type of store or sink.
public struct PluginDescription: Sendable {
  /// The word after `type:`.
  public let type: String
  /// A summary on one line.
  public let summary: String
  /// The keys of its section besides those of every store or sink.
  public let keys: [any ConfigKeyDescription]
  /// Reports errors between keys. Called once the section was read, even if single keys are invalid.
  public let check: @Sendable (inout ConfigSection) -> Void

  /// A description; without `check`, no errors between keys are possible.
  public init(
    type: String, summary: String, keys: [any ConfigKeyDescription],
    check: @escaping @Sendable (inout ConfigSection) -> Void = { _ in }
  ) {
    self.type = type
    self.summary = summary
    self.keys = keys
    self.check = check
  }
}
