// Foundation's normalisation needs ICU; this is the only one without.
@_spi(_Unicode) import Swift

extension String {
  /// The text in Unicode normalisation form C.
  package var canonicallyComposed: String { String(String.UnicodeScalarView(_nfc)) }
}
