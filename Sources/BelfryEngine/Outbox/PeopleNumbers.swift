import BelfryModel

extension Change {
  /// The numbers of people in the store; those who have none yet get one.
  func numbers(of people: [Person]) throws -> [String: Int64] {
    guard !people.isEmpty else { return [:] }
    var numbers = Dictionary(try transaction.people().map { ($0.name, $0.number) }) { first, _ in first }
    for person in people where numbers[person.name] == nil {
      numbers[person.name] = try transaction.addPerson(named: person.name).number
    }
    return numbers
  }
}
