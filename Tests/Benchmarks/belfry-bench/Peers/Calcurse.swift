import Foundation

/// calcurse with appointments; it has no command to mark one as done.
struct Calcurse: Peer {
  let name = "calcurse"
  let settings = "appointments in its own file; adds by importing a small iCalendar file; shows with `-Q -l 20`"
  let mostItems = 100_000
  private let program: String

  init() throws { program = try Surroundings.program("calcurse", package: "calcurse") }

  var startUp: Command? {
    Command(program: program, arguments: ["--version"], environment: Surroundings.variables(home: "/nonexistent"))
  }

  func version() throws -> String { try Surroundings.packageVersion("calcurse") }

  func prepare(_ items: SampleItems, in folder: String) throws {
    let lines = (0..<items.count).map { index in
      let due = Timestamp.format(items.due(index), "%m/%d/%Y @ %H:%M")
      return "\(due) -> \(due)|\(items.text(index))\n"
    }
    try lines.joined().write(toFile: "\(folder)/apts", atomically: false, encoding: .utf8)
    let event = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//belfry-bench
      BEGIN:VEVENT
      SUMMARY:\(SampleItems.addedText)
      DTSTART:\(Timestamp.format(SampleItems.addedInstant, "%Y%m%dT%H%M%SZ", isLocal: false))
      DURATION:PT30M
      END:VEVENT
      END:VCALENDAR

      """
    try event.write(toFile: "\(folder)/added.ics", atomically: false, encoding: .utf8)
  }

  func addOne(in folder: String) -> Command? { command(["-q", "-i", "\(folder)/added.ics"], in: folder) }

  func showNext(in folder: String) -> Command? {
    command(["-Q", "--filter-type", "apt", "--days", "90", "-l", "20"], in: folder)
  }

  func checkOne(_ number: Int, in folder: String) -> Command? { nil }

  func count(in folder: String) throws -> Int {
    try String(contentsOfFile: "\(folder)/apts", encoding: .utf8).utf8.count { $0 == UInt8(ascii: "\n") }
  }

  private func command(_ arguments: [String], in folder: String) -> Command {
    Command(
      program: program, arguments: ["-D", folder, "-C", folder] + arguments,
      environment: Surroundings.variables(home: folder))
  }
}
