/// A type of store or sink, with the values of its config section.
public protocol ConfigPlugin: Sendable {
  /// The word after `type:`.
  static var type: String { get }
  /// A summary on one line.
  static var summary: String { get }

  /// Reads its own keys, besides those that every store or sink has, and reports errors between them.
  ///
  /// The same code runs on an empty section to declare the keys, so it reads every key each time, whatever the values.
  ///
  /// - Returns: `nil` only if a required key has no value or an error was reported.
  init?(_ section: inout ConfigSection)
}

extension ConfigPlugin {
  /// Its own keys, in the order of the reference.
  public static var keys: [ConfigKey] { ConfigSection.keys { _ = Self(&$0) } }
}
