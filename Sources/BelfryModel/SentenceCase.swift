extension String {
  /// The text with its first letter in upper case: as at the start of a sentence, and for the name of a person.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
