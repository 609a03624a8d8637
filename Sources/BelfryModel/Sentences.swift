extension String {
  /// The text with its first letter in upper case: as at the start of a sentence, and for the name of a person.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension [String] {
  /// The texts as part of a sentence: `anna`, `anna and ben`, `anna, ben and chat`.
  package var inSentence: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}

/// A number with its noun: `1 item`, `2 items`, `2 delivery records`, `0 deliveries`.
package func counted(_ number: some BinaryInteger, _ noun: String) -> String {
  if number == 1 { return "1 \(noun)" }
  let endsInConsonantAndY = noun.last == "y" && !"aeiou".contains(noun.dropLast().last ?? "a")
  return "\(number) " + (endsInConsonantAndY ? noun.dropLast() + "ies" : noun + "s")
}
