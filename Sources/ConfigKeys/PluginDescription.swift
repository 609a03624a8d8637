/// The config keys of one kind of store or sink.
public struct PluginDescription: Sendable {
  /// The word after `type:`.
  public let type: String
  /// The kind in words, on one line.
  public let summary: String
  /// The keys that its section has beside those that every store or sink has.
  public let keys: [any ConfigKeyDescription]
  /// Reports what is wrong between the keys; called where the section was read, whether or not single keys are wrong.
  public let check: @Sendable (inout ConfigSection) -> Void

  /// A description; without `check` nothing can be wrong between the keys.
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
