/// Changes the lines of a to-do in a file, and no others.
///
/// The file's to-do is written twice, as it is and as it should be. The properties in which the two differ are replaced
/// in the file; everything else keeps its bytes, place and folding.
struct TodoEdit {
  private let file: ContentLines
  private let todo: ContentLines.Component
  private let old: ContentLines
  private let new: ContentLines
  private var replacements: [Int: [UInt8]] = [:]
  private var insertions: [UInt8] = []
  private var alarms: [UInt8] = []

  // The times of a change, which do not count as a change by themselves.
  private static let times: Set = ["DTSTAMP", "LAST-MODIFIED", "CREATED"]

  /// The bytes of a file after a change of its to-do; the same bytes if nothing changes, `nil` if the file has no
  /// to-do.
  ///
  /// - Parameters:
  ///   - old: the lines that Belfry would write for the file's to-do as it is.
  ///   - new: the lines for the to-do as it should be.
  ///   - zones: the VTIMEZONEs that `new` needs, by their TZID.
  static func bytes(
    of file: [UInt8], from old: [UInt8], to new: [UInt8], zones: [(name: String, lines: [UInt8])]
  ) -> [UInt8]? {
    let lines = ContentLines(file)
    guard let todo = lines.todo else { return nil }
    var edit = TodoEdit(lines, todo, ContentLines(old), ContentLines(new))
    return edit.isChange() ? edit.written(zones) : file
  }

  private init(
    _ file: ContentLines, _ todo: ContentLines.Component, _ old: ContentLines, _ new: ContentLines
  ) {
    (self.file, self.todo, self.old, self.new) = (file, todo, old, new)
  }

  private mutating func isChange() -> Bool {
    guard let before = old.todo, let after = new.todo else { return false }
    let (was, will) = (old.properties(of: before), new.properties(of: after))
    var order: [String] = []
    for name in (after.properties.map { new.lines[$0].name } + before.properties.map { old.lines[$0].name })
    where !order.contains(name) && was[name] != will[name] { order.append(name) }
    let hasAlarms = todo.components.contains { $0.name == "VALARM" }
    let differ =
      Self.alarms(of: before, in: old, whole: hasAlarms) != Self.alarms(of: after, in: new, whole: hasAlarms)
    guard differ || order.contains(where: { !Self.times.contains($0) }) else { return false }
    // A to-do with only a start or a duration is due by that. A DUE would then contradict it.
    if order.contains("DUE") {
      order += ["DTSTART", "DURATION"].filter { !order.contains($0) && was[$0] == nil && will[$0] == nil }
    }
    for name in order { replace(name, with: (will[name] ?? []).flatMap { own($0) }) }
    if differ {
      // Thunderbird's snooze, which the alarms replace.
      replace("X-MOZ-SNOOZE-TIME", with: [])
      for alarm in todo.components where alarm.name == "VALARM" {
        for line in alarm.lines { replacements[line] = [] }
      }
      for alarm in after.components where alarm.name == "VALARM" { alarms += own(new.text(alarm.lines)) }
    }
    return true
  }

  private mutating func replace(_ name: String, with bytes: [UInt8]) {
    let present = todo.properties.filter { file.lines[$0].name == name }
    for line in present { replacements[line] = [] }
    if let first = present.first { replacements[first] = bytes } else { insertions += bytes }
  }

  // The lines of a to-do's alarms. For a file without alarms, `whole` is false and their descriptions are left out:
  // they repeat the text, and the alarm that Belfry rings for a to-do without one is not written.
  private static func alarms(
    of todo: ContentLines.Component, in lines: ContentLines, whole: Bool
  ) -> [[UInt8]] {
    todo.components.filter { $0.name == "VALARM" }.map { alarm in
      alarm.lines.filter { whole || lines.lines[$0].name != "DESCRIPTION" }.flatMap { lines.text($0) }
    }
  }

  // With the file's line ends.
  private func own(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    file.lineEnd.count == 2 ? Array(bytes) : bytes.filter { $0 != 0x0D }
  }

  private func written(_ zones: [(name: String, lines: [UInt8])]) -> [UInt8] {
    var bytes = Array(file.bytes[..<file.lines[todo.lines.lowerBound].range.lowerBound])
    for zone in zones where !hasZone(zone.name) { bytes += own(zone.lines[...]) }
    let end = todo.lines.upperBound - 1
    let properties = todo.components.first?.lines.lowerBound ?? end
    for number in todo.lines {
      if number == properties { bytes += insertions }
      if number == end { bytes += alarms }
      bytes += replacements[number] ?? Array(file.text(number))
    }
    return bytes + file.bytes[file.lines[end].range.upperBound...]
  }

  private func hasZone(_ name: String) -> Bool {
    let zones = file.components.flatMap(\.components).filter { $0.name == "VTIMEZONE" }
    return zones.contains { zone in
      zone.properties.contains { number in
        file.lines[number].name == "TZID" && Array(file.text(number).dropFirst(5)).trimmedSpace == name.utf8[...]
      }
    }
  }
}

private func == (bytes: ArraySlice<UInt8>, text: Substring.UTF8View) -> Bool { bytes.elementsEqual(text) }
