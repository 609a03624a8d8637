import CivilTime
import FoundationEssentials
import ICalendar

/// Marks the alarms of an event in a file as acknowledged or snoozed (RFC 9074), and changes no other line.
struct AlarmEdit {
  private let file: ContentLines
  private let marks: AlarmMarks
  private var replacements: [Int: [UInt8]] = [:]
  private var insertions: [Int: [UInt8]] = [:]

  /// The bytes of a file with these marks; the same bytes if it has them already.
  static func bytes(of file: [UInt8], _ marks: AlarmMarks) -> [UInt8] {
    var edit = AlarmEdit(ContentLines(file), marks)
    edit.run()
    return edit.written
  }

  private init(_ file: ContentLines, _ marks: AlarmMarks) { (self.file, self.marks) = (file, marks) }

  private mutating func run() {
    let numbers = file.numbers
    for event in file.components.flatMap({ $0.name == "VEVENT" ? [$0] : $0.components }) where event.name == "VEVENT" {
      var uid: String?
      var isHere = false
      for component in event.components where component.name == "VALARM" {
        guard let alarm = marks.alarms.first(where: { $0.line == numbers[component.lines.lowerBound] }) else {
          continue
        }
        isHere = true
        let isSnoozed = marks.snooze?.line == alarm.line
        let own = mark(component, alarm, isSnoozed: isSnoozed)
        if isSnoozed { uid = own }
      }
      if isHere { putOff(event, snoozed: uid) }
    }
  }

  // Returns the alarm's UID, which a snoozed alarm gets if it has none.
  private mutating func mark(_ alarm: ContentLines.Component, _ mark: AlarmMarks.Alarm, isSnoozed: Bool) -> String? {
    let present = alarm.properties.filter { file.lines[$0].name == "ACKNOWLEDGED" }
    let time = present.compactMap { property($0).flatMap { Date(utcValue: $0.value) } }.max()
    let isOver = time.map { $0 > marks.now || marks.takenBack.contains($0) } ?? false
    let uid = alarm.properties.first { file.lines[$0].name == "UID" }.flatMap { property($0)?.value }
    guard let wanted = mark.acknowledged else {
      if isOver { for line in present { replacements[line] = [] } }
      return uid ?? mark.uid
    }
    if time.map({ $0 < wanted || isOver && $0 != wanted }) ?? true {
      for line in present { replacements[line] = [] }
      write(["ACKNOWLEDGED:\(wanted.utcValue)"], before: alarm.lines.upperBound - 1)
      if uid == nil, let new = mark.uid { write(["UID:\(new)"], before: alarm.lines.upperBound - 1) }
    } else if isSnoozed, uid == nil, let new = mark.uid {
      write(["UID:\(new)"], before: alarm.lines.upperBound - 1)
    }
    return uid ?? mark.uid
  }

  // One alarm rings at the end of the snooze; those of earlier snoozes are removed. Without a snooze, one that has rung
  // stays.
  private mutating func putOff(_ event: ContentLines.Component, snoozed uid: String?) {
    let until = uid == nil ? nil : marks.snooze?.until
    var isWritten = false
    for alarm in event.components where alarm.name == "VALARM" {
      guard let end = snoozeEnd(alarm) else { continue }
      if end == until {
        isWritten = true
      } else if until != nil || end > marks.now {
        for line in alarm.lines { replacements[line] = [] }
      }
    }
    guard let uid, let until, !isWritten else { return }
    // Thunderbird's snooze, which this alarm replaces.
    for line in event.properties where file.lines[line].name == "X-MOZ-SNOOZE-TIME" { replacements[line] = [] }
    let name = UUID(namespace: .belfry, name: "snooze \(until.utcValue) of \(uid)").text
    write(
      [
        "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:\(CalendarText.escaped(marks.text))", "UID:\(name)",
        "TRIGGER;VALUE=DATE-TIME:\(until.utcValue)", "RELATED-TO;RELTYPE=SNOOZE:\(uid)", "END:VALARM",
      ], before: event.lines.upperBound - 1)
  }

  // The end of the snooze that an alarm is; `nil` for any other alarm.
  private func snoozeEnd(_ alarm: ContentLines.Component) -> Date? {
    let properties = alarm.properties.compactMap(property)
    guard properties.contains(where: { $0.name == "RELATED-TO" && $0.parameter("RELTYPE")?.uppercased() == "SNOOZE" })
    else { return nil }
    return properties.first { $0.name == "TRIGGER" }.flatMap { Date(utcValue: $0.value) }
  }

  private func property(_ line: Int) -> CalendarProperty? {
    try? CalendarProperty(file.unfolded(line), number: line)
  }

  private mutating func write(_ texts: [String], before line: Int) {
    var lines = CalendarLines()
    for text in texts { lines.append(text.holdable) }
    insertions[line, default: []] += file.lineEnd.count == 2 ? lines.bytes : lines.bytes.filter { $0 != 0x0D }
  }

  private var written: [UInt8] {
    guard !replacements.isEmpty || !insertions.isEmpty else { return file.bytes }
    return file.lines.indices.flatMap { (insertions[$0] ?? []) + (replacements[$0] ?? Array(file.text($0))) }
  }
}
