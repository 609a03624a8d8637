// What Foundation normalizes with: there is no other way to it without ICU.
@_spi(_Unicode) import Swift

extension String {
  /// The text in Unicode's normalization form C.
  package var canonicallyComposed: String { String(String.UnicodeScalarView(_nfc)) }
}
