/// A component with its content: `BEGIN:VTODO` to `END:VTODO` (RFC 5545, section 3.6).
struct CalendarComponent: Hashable {
  /// The name in upper case.
  let name: String
  /// The number of its `BEGIN` line.
  let line: Int
  /// Its own properties, in order.
  var properties: [CalendarProperty] = []
  /// The components inside it, in order.
  var components: [CalendarComponent] = []

  /// All properties with a name in upper case.
  func all(_ name: String) -> [CalendarProperty] { properties.filter { $0.name == name } }

  /// The property with a name in upper case, which must not be repeated.
  ///
  /// - Throws: a fault about the second one.
  func single(_ name: String) throws(CalendarFault) -> CalendarProperty? {
    var found: CalendarProperty?
    for property in properties where property.name == name {
      guard found == nil else { throw CalendarFault(line: property.number, reason: "it has a second \(name)") }
      found = property
    }
    return found
  }

  /// Its lines, unfolded.
  var lines: [String] {
    ["BEGIN:\(name)"] + properties.map(\.text) + components.flatMap(\.lines) + ["END:\(name)"]
  }
}
