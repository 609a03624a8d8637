/// A zone that the zone database does not have, or cannot read.
public struct UnknownZone: Error, Hashable, CustomStringConvertible {
  /// What was asked for.
  public let identifier: String
  /// The nearest names that there are, best first; empty where nothing is near.
  public let nearest: [String]
  /// What is wrong with the zone's file, where there is one.
  public let reason: String?

  /// An error about a zone.
  public init(identifier: String, nearest: [String], reason: String? = nil) {
    self.identifier = identifier
    self.nearest = nearest
    self.reason = reason
  }

  /// A sentence fragment for the user, such as `'Europe/Zurch' is no known time zone: did you mean Europe/Zurich?`
  public var description: String {
    if let reason { return "the time zone \(inQuotes(identifier)) cannot be read: \(reason)" }
    let problem = "\(inQuotes(identifier)) is no known time zone"
    guard let best = nearest.first else { return "\(problem): write an IANA name such as Europe/Zurich" }
    return "\(problem): did you mean \(([best] + nearest.dropFirst()).joined(separator: " or "))?"
  }
}
