/// A person under the number that the store gave the name at its first use.
public struct KnownPerson: Hashable, Sendable {
  /// The highest number, since a token has two bytes for it.
  public static let highestNumber: Int64 = 65_535

  /// The number, from 1, never used again for another name. In other records, 0 is no one in particular.
  public internal(set) var number: Int64
  /// The name in the config, compared byte for byte.
  public internal(set) var name: String
  /// The unknown fields of its file.
  package var unknown: UnknownFields?

  /// A person by the number that the store gave the name.
  public init(number: Int64, name: String) { (self.number, self.name) = (number, name) }

  /// The error of a store that has used all numbers.
  ///
  /// - Parameter name: the person who needs a number.
  package static func noNumber(for name: String) -> BelfryError {
    BelfryError(
      .storeFailed, "there is no number left for the person '\(name)': all \(highestNumber) are in use")
  }
}

extension KnownPerson: Record {
  package static let form = RecordForm<KnownPerson>(9, "person") { fields in
    fields.add("number", \.number, NumberCodec(range: 1...highestNumber))
    fields.add("name", \.name, .text)
  }

  /// A person without a number.
  package init() { self.init(number: 0, name: "") }
}
