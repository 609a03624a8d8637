import CivilTime

/// Finds the known name that an unknown one was probably meant to be.
public enum Suggestion {
  /// The most similar known name; `nil` for an empty name, one longer than 64 bytes, or if none is similar.
  public static func nearest(to name: String, among known: [String]) -> String? {
    guard (1...64).contains(name.utf8.count) else { return nil }
    return NearestNames.nearest(to: name, among: known, limit: 1).first
  }

  /// `; did you mean 'x'?`, or else `; known are a, b`; empty if no names are known.
  package static func text(for name: String, among known: [String]) -> String {
    // A file can have thousands of errors and thousands of names, so the search is limited.
    if let nearest = nearest(to: name, among: Array(known.prefix(50))) { return "; did you mean \(inQuotes(nearest))?" }
    guard !known.isEmpty else { return "" }
    return "; known are " + known.prefix(20).joined(separator: ", ") + (known.count > 20 ? ", …" : "")
  }
}
