/// The known name nearest to a text, within one edit for each three characters but at least one; otherwise `nil`.
package func nearestName(to written: String, among names: some Sequence<String>) -> String? {
  let letters = Array(written.utf8.prefix(32))
  let candidates = names.map { (name: $0, distance: editDistance(letters, Array($0.utf8))) }
  guard let best = candidates.min(by: { $0.distance < $1.distance }),
    best.distance <= max(1, letters.count / 3)
  else { return nil }
  return best.name
}

/// The fewest insertions, deletions and substitutions that turn one text into the other (Levenshtein).
private func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
  var row = Array(0...second.count)
  for (line, letter) in first.enumerated() {
    var diagonal = row[0]
    row[0] = line + 1
    for (column, other) in second.enumerated() {
      let substitution = diagonal + (letter == other ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(substitution, diagonal + 1, row[column] + 1)
    }
  }
  return row[second.count]
}
