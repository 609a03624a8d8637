import BelfryModel

extension StoreView {
  /// The names of the people to whom the store gave a number, by number.
  public func personNames() throws -> [Int64: String] {
    Dictionary(try people().map { ($0.number, $0.name) }) { first, _ in first }
  }

  /// The name of the person with a number; `nil` for no one in particular.
  func personName(_ number: Int64) throws -> String? { number == 0 ? nil : try personNames()[number] }
}

extension Change {
  /// The numbers of people in the store; people without a number get one.
  func numbers(of people: [Person]) throws -> [String: Int64] {
    guard !people.isEmpty else { return [:] }
    var numbers = Dictionary(try transaction.people().map { ($0.name, $0.number) }) { first, _ in first }
    for person in people where numbers[person.name] == nil {
      numbers[person.name] = try transaction.addPerson(named: person.name).number
    }
    return numbers
  }
}
