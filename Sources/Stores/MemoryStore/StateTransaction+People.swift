import BelfryModel

extension StateTransaction {
  package func people() -> [KnownPerson] { state.people.values.sorted { $0.number < $1.number } }

  package func person(named name: String) -> KnownPerson? {
    state.people.values.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  package func addPerson(named name: String) throws -> KnownPerson {
    if let known = person(named: name) { return known }
    guard state.nextPersonNumber <= KnownPerson.highestNumber else { throw KnownPerson.noNumber(for: name) }
    let person = KnownPerson(number: try take(\.nextPersonNumber), name: name)
    state.people[person.number] = person
    return person
  }

  func put(_ person: KnownPerson) {
    state.people[person.number] = person
    changes.head = true
  }
}
