import BelfryModel

extension ListColor {
  /// The colour that a file `color` of the vdir format holds; `nil` if it holds none.
  init?(file bytes: [UInt8]) {
    guard let color = try? ListColor(parsing: String(decoding: bytes, as: UTF8.self)) else { return nil }
    self = color
  }
}
