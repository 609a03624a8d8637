import ICalendar

/// A part of a calendar made of one or more kept properties of an item.
enum KeptSegment: Hashable {
  case property(CalendarProperty)
  /// A component, from its BEGIN to its END.
  case component(CalendarComponent)
  case text(String)

  /// The parts made of properties, in order. A BEGIN without its END, and everything after it, is only text.
  static func all(_ properties: [String]) -> [KeptSegment] {
    var segments: [KeptSegment] = []
    var rest = properties[...]
    while let text = rest.first {
      guard let line = try? CalendarProperty(Array(text.utf8), number: 0) else {
        segments.append(.text(text))
        rest = rest.dropFirst()
        continue
      }
      guard line.name == "BEGIN" || line.name == "END" else {
        segments.append(.property(line))
        rest = rest.dropFirst()
        continue
      }
      var tried = rest
      guard let component = component(&tried) else { return segments + rest.map(KeptSegment.text) }
      segments.append(.component(component))
      rest = tried
    }
    return segments
  }

  /// Removes a complete component from the front of lines; `nil` if there is none.
  private static func component(_ lines: inout ArraySlice<String>) -> CalendarComponent? {
    var open: [CalendarComponent] = []
    while let text = lines.popFirst() {
      guard let line = try? CalendarProperty(Array(text.utf8), number: 0) else { return nil }
      let name = line.value.uppercased()
      switch line.name {
      case "BEGIN":
        guard open.count < ComponentBuilder.deepest - 1, isName(line.value), line.parameters.isEmpty,
          !ComponentReader.roots.contains(name)
        else { return nil }
        open.append(CalendarComponent(name: name, line: 0))
      case "END":
        guard let inner = open.popLast(), inner.name == name, line.parameters.isEmpty else { return nil }
        guard !open.isEmpty else { return inner }
        open[open.count - 1].components.append(inner)
      default:
        guard !open.isEmpty else { return nil }
        open[open.count - 1].properties.append(line)
      }
    }
    return nil
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 100
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF) && byte < 0x80
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }
}
