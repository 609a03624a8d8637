// Foundation normalizes with the same interface; without ICU there is no other.
@_spi(_Unicode) import Swift

extension String {
  /// The text in Unicode's normalization form C.
  package var canonicallyComposed: String { String(String.UnicodeScalarView(_nfc)) }
}
