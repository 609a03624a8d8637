/// An error about a zone that is unknown or cannot be read.
public struct UnknownZone: Error, Hashable, CustomStringConvertible {
  /// The name that was asked for and that no zone has.
  public let identifier: String
  /// The most similar names, best first; empty if none is similar.
  public let nearest: [String]
  /// The fault of the zone's file; `nil` if there is no file.
  public let reason: String?

  /// An error about a zone.
  init(identifier: String, nearest: [String], reason: String? = nil) {
    self.identifier = identifier
    self.nearest = nearest
    self.reason = reason
  }

  /// A sentence fragment for the user, such as `'Europe/Zurch' is not a known time zone: did you mean Europe/Zurich?`
  public var description: String {
    if let reason { return "the time zone \(inQuotes(identifier)) cannot be read: \(reason)" }
    let problem = "\(inQuotes(identifier)) is not a known time zone"
    guard let best = nearest.first else { return "\(problem): write an IANA name such as Europe/Zurich" }
    return "\(problem): did you mean \(([best] + nearest.dropFirst()).joined(separator: " or "))?"
  }
}
