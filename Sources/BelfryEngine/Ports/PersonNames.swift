import BelfryModel

extension StoreView {
  /// The names of the people to whom the store gave a number, by number.
  public func personNames() throws -> [Int64: String] {
    Dictionary(try people().map { ($0.number, $0.name) }) { first, _ in first }
  }

  /// The name of the person with a number; `nil` for no one in particular.
  func personName(_ number: Int64) throws -> String? { number == 0 ? nil : try personNames()[number] }
}
