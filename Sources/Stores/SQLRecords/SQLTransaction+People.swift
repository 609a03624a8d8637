import BelfryModel

extension SQLTransaction {
  private static let everyPerson = "SELECT number, name, unknown FROM person"

  package func people() throws -> [KnownPerson] { try rows("\(Self.everyPerson) ORDER BY number", make: person) }

  package func person(named name: String) throws -> KnownPerson? {
    try firstRow("\(Self.everyPerson) WHERE name = ?", name, make: person)
  }

  package func addPerson(named name: String) throws -> KnownPerson {
    if let known = try person(named: name) { return known }
    let person = KnownPerson(number: try next(.person), name: name)
    guard person.number <= KnownPerson.highestNumber else { throw KnownPerson.noNumber(for: name) }
    try insert(person)
    return person
  }

  func insert(_ person: KnownPerson) throws {
    try reserve(person.number, .person)
    try execute(
      "INSERT INTO person (number, name, unknown) VALUES (?, ?, ?)", person.number, person.name, person.unknown?.object)
  }

  private func person(_ row: SQLRow) throws -> KnownPerson {
    var person = try KnownPerson(number: row.at(0), name: row.at(1))
    person.unknown = try UnknownFields(stored: row.at(2), of: KnownPerson.form.kind)
    return person
  }
}
