import ConfigKeys

extension ConfigSection {
  /// The first sign-in key that is given; reports all others.
  package mutating func firstSignIn(of keys: [KeyPlace]) -> KeyPlace? {
    let given = keys.filter(\.isGiven).sorted { $0.key < $1.key }
    guard let first = given.first else { return nil }
    for key in given.dropFirst() {
      error("'\(key.name)' is a second way to sign in, beside '\(first.name)'", at: key.key)
    }
    return first
  }
}
