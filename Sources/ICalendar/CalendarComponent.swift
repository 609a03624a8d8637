/// A component with its content: `BEGIN:VTODO` to `END:VTODO` (RFC 5545, section 3.6).
package struct CalendarComponent: Hashable {
  /// The name in upper case.
  package let name: String
  /// The number of its `BEGIN` line.
  package let line: Int
  /// Its own properties, in order.
  package var properties: [CalendarProperty] = []
  /// The components inside it, in order.
  package var components: [CalendarComponent] = []

  package init(name: String, line: Int) {
    self.name = name
    self.line = line
  }

  /// All properties with a name in upper case.
  package func all(_ name: String) -> [CalendarProperty] { properties.filter { $0.name == name } }

  /// The property with a name in upper case, which must not be repeated.
  ///
  /// - Throws: a fault about the second one.
  package func single(_ name: String) throws(CalendarFault) -> CalendarProperty? {
    var found: CalendarProperty?
    for property in properties where property.name == name {
      guard found == nil else { throw CalendarFault(line: property.number, reason: "it has a second \(name)") }
      found = property
    }
    return found
  }

  /// Its lines, unfolded.
  package var lines: [String] {
    ["BEGIN:\(name)"] + properties.map(\.text) + components.flatMap(\.lines) + ["END:\(name)"]
  }
}
