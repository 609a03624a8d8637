import Foundation
import TestSupport

/// A folder of calendars that Belfry shares with todoman and khal, and through vdirsyncer with a phone at a Radicale
/// server.
struct CalendarPrograms {
  let box: Sandbox
  let server: RadicaleServer
  let vdirsyncer: Synchroniser

  init() throws {
    box = try Sandbox(
      config: """
        store: { type: vdir, path: calendars, events: true, write_acknowledged: true }
        time_zone: UTC
        sinks: { out: { type: stdout, format: json } }
        """, zone: "UTC")
    server = try RadicaleServer()
    vdirsyncer = try Synchroniser(box.path("calendars"), with: server, files: box.folder)
    try box.write(
      """
      path = "\(box.path("calendars"))/*"
      cache_path = "\(box.path("cache.sqlite3"))"
      date_format = "%Y-%m-%d"
      time_format = "%H:%M"
      default_list = "home"

      """, to: "todoman.py")
    try FileManager.default.createDirectory(
      atPath: box.path("calendars/meetings"), withIntermediateDirectories: true)
    try box.write(
      """
      [calendars]
      [[meetings]]
      path = \(box.path("calendars/meetings"))
      type = calendar
      [locale]
      local_timezone = UTC
      default_timezone = UTC
      timeformat = %H:%M
      dateformat = %Y-%m-%d
      longdateformat = %Y-%m-%d
      datetimeformat = %Y-%m-%d %H:%M
      longdatetimeformat = %Y-%m-%d %H:%M
      [default]
      default_calendar = meetings
      [sqlite]
      path = \(box.path("khal.sqlite3"))

      """, to: "khal")
  }

  @discardableResult
  func khal(_ arguments: String...) throws -> [String] {
    let words = ["khal", "-c", box.path("khal")] + arguments
    let output = try Program.output(words, environment: ["TZ": "UTC"])
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func todos() throws -> [[String: Any]] {
    try JSONSerialization.jsonObject(with: todo("--porcelain", "list", "--status", "ANY")) as? [[String: Any]] ?? []
  }

  @discardableResult
  func todo(_ arguments: String...) throws -> Data {
    try Program.output(["todo", "--config", box.path("todoman.py")] + arguments, environment: ["TZ": "UTC"])
  }
}
