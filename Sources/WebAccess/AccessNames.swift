import BelfryModel
import ConfigKeys

/// The rules for the names of tokens, passkeys and people.
package enum AccessNames {
  private static let longest = 200
  // The names of sessions and passkeys begin with these.
  private static let taken = ["session-", "passkey-"]

  /// - Throws: ``BelfryError`` `.usage` for an invalid name of a token.
  package static func check(token name: String) throws(BelfryError) {
    guard isLine(name), !taken.contains(where: name.hasPrefix) else {
      throw BelfryError(
        .usage, "'\(name)' cannot be a name", hint: "choose a word that does not begin with session- or passkey-")
    }
  }

  /// - Throws: ``BelfryError`` `.usage` for an invalid label of a passkey.
  package static func check(label: String) throws(BelfryError) {
    guard isLine(label) else {
      throw BelfryError(.usage, "the name of a passkey is one line of at most \(longest) bytes", hint: "take a word")
    }
  }

  /// A person's name as it is stored.
  ///
  /// - Parameter people: the people of the config.
  /// - Throws: ``BelfryError`` `.usage` for a name that is too long or not one line, `.notFound` for one that is not in
  ///   the config.
  package static func checked(_ person: String?, among people: [String]) throws(BelfryError) -> String? {
    guard let person else { return nil }
    guard isLine(person) else {
      throw BelfryError(.usage, "a person's name is one line of at most \(longest) bytes")
    }
    guard people.contains(person) else {
      let nearest = Suggestion.nearest(to: person, among: people).map { "did you mean '\($0)'?" }
      throw BelfryError(
        .notFound, "there is no person '\(person)' in the config",
        hint: nearest ?? (people.isEmpty ? "its 'people' names nobody" : "'belfry people' lists them"))
    }
    return person
  }

  private static func isLine(_ name: String) -> Bool {
    name.utf8.count <= longest && (try? TextRules.line(name, what: "the name")) == name
  }
}
