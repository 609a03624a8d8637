import ICalendar

/// A component being read, with the components open inside it. After a fault, only the fault is kept, so memory stays
/// bounded.
struct ComponentBuilder {
  /// The most levels of components. Three occur in valid files: an item, its alarms and their locations (RFC 9073).
  static let deepest = 8
  /// The most alarms of an item.
  static let mostAlarms = 1_000
  /// The most lines of a component with its content.
  private static let mostLines = 20_000
  /// The most bytes of a component with its content.
  private static let mostBytes = 1 << 25

  /// The open components, the root first, the innermost last; without properties after a fault.
  private var open: [CalendarComponent]
  /// The number of components open below the deepest nesting.
  private var tooDeep = 0
  private var lines = 0
  private var bytes = 0
  private var alarms = 0
  private(set) var fault: CalendarFault?
  /// The value of the root's SUMMARY, for messages.
  private(set) var summary: String?

  init(name: String, line: Int) { open = [CalendarComponent(name: name, line: line)] }

  /// The component as far as it was read.
  var root: CalendarComponent { open[0] }

  /// Keeps the first fault and drops everything else.
  mutating func refuse(_ fault: CalendarFault) {
    guard self.fault == nil else { return }
    self.fault = fault
    for index in open.indices {
      open[index].properties = []
      open[index].components = []
    }
  }

  /// Adds a line other than `BEGIN` and `END`.
  mutating func add(_ line: UnfoldedLine) {
    guard fault == nil else { return }
    if let fault = line.fault { return refuse(fault) }
    lines += 1
    bytes += line.bytes.count
    guard lines <= Self.mostLines, bytes <= Self.mostBytes else {
      return refuse(
        CalendarFault(
          line: line.number,
          reason: "it has more than \(Self.mostLines) lines or \(Self.mostBytes >> 20) MiB"))
    }
    do {
      let property = try CalendarProperty(line.bytes, number: line.number)
      if open.count == 1, property.name == "SUMMARY", summary == nil {
        summary = CalendarText.unescaped(property.value)
      }
      open[open.count - 1].properties.append(property)
    } catch {
      refuse(error)
    }
  }

  mutating func begin(_ name: String, line: Int) {
    guard tooDeep == 0, open.count < Self.deepest else {
      tooDeep += 1
      return refuse(
        CalendarFault(line: line, reason: "components are nested more than \(Self.deepest) deep"))
    }
    if open.count == 1, name == "VALARM" {
      alarms += 1
      if alarms > Self.mostAlarms {
        refuse(CalendarFault(line: line, reason: "it has more than \(Self.mostAlarms) alarms"))
      }
    }
    lines += 1
    open.append(CalendarComponent(name: name, line: line))
  }

  /// Closes a component.
  ///
  /// - Returns: whether it was the root, which is then complete.
  mutating func end(_ name: String, line: Int) -> Bool {
    if tooDeep > 0 {
      tooDeep -= 1
      return false
    }
    let inner = open[open.count - 1]
    if inner.name == name {
      guard open.count > 1 else { return true }
      open.removeLast()
      if fault == nil { open[open.count - 1].components.append(inner) }
      return false
    }
    refuse(
      CalendarFault(line: line, reason: "END:\(name) without the END:\(inner.name) of line \(inner.line)"))
    return name == root.name
  }
}
