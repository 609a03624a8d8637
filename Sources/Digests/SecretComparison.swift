import CNettle

/// True if two secrets of the same length are equal, in a time that does not tell where they differ.
package func isEqualInConstantTime(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
  let (one, other) = (Array(one), Array(other))
  return one.count == other.count && nettle_memeql_sec(one, other, one.count) == 1
}
