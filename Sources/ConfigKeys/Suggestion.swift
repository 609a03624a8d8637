import CivilTime

/// Words for a name that is not known.
public enum Suggestion {
  /// The known name that was probably meant; none for an empty name, and for one too long to be a slip.
  public static func nearest(to name: String, among known: [String]) -> String? {
    guard (1...64).contains(name.utf8.count) else { return nil }
    return NearestNames.nearest(to: name, among: known, limit: 1).first
  }

  /// `; did you mean 'x'?`, or else `; known are a, b`, or nothing where there is nothing to say.
  package static func text(for name: String, among known: [String]) -> String {
    // A file can be wrong thousands of times over thousands of names: what is shown must stay cheap to find.
    if let nearest = nearest(to: name, among: Array(known.prefix(50))) { return "; did you mean \(inQuotes(nearest))?" }
    guard !known.isEmpty else { return "" }
    return "; known are " + known.prefix(20).joined(separator: ", ") + (known.count > 20 ? ", …" : "")
  }
}
