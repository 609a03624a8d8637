import BelfryTestKit
import Foundation

/// Radicale, a real CalDAV server, with one user `me` and no passwords.
package final class RadicaleServer: Sendable {
  /// The URL of the user's calendars.
  package let url: String
  /// The folder in which it keeps them: one for each calendar.
  package let folder: String
  // The server's own, where a client asks who the user is.
  private let root: String
  private let process: ServerProcess

  /// Starts it and waits until it listens.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init() throws {
    let port: Int
    (process, port) = try ServerProcess.onFreePort { port in
      let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
      let config = """
        [server]
        hosts = 127.0.0.1:\(port)
        [auth]
        type = none
        [storage]
        filesystem_folder = \(folder.path)/radicale
        """
      try Data(config.utf8).write(to: URL(filePath: folder.file("config")))
      let process = try ServerProcess(
        "/usr/bin/env", ["python3", "-m", "radicale", "--config", folder.file("config")], in: folder)
      try process.waitUntilListening(on: port)
      return (process, port)
    }
    root = "http://127.0.0.1:\(port)/"
    url = "\(root)me/"
    folder = process.folder.file("radicale/collection-root/me")
  }

  /// Makes a calendar for to-dos, as a phone does.
  package func makeCalendar(_ name: String) throws {
    try phone("p.make_calendar(name=given[0], cal_id=given[0], supported_calendar_component_set=['VTODO'])", [name])
  }

  /// Runs lines of python-caldav, a client as on a phone: `p` is the user, `given` are the arguments, and `todos(name)`
  /// are the to-dos of a calendar.
  ///
  /// - Returns: what they print.
  /// - Throws: ``Program/Failure``.
  @discardableResult
  package func phone(_ lines: String, _ given: [String] = []) throws -> String {
    let program = """
      import sys, datetime, caldav
      given = sys.argv[2:]
      p = caldav.DAVClient(sys.argv[1], username='me', password='x').principal()
      calendar = lambda name: p.calendar(cal_id=name)
      todos = lambda name: calendar(name).todos(include_completed=True)
      summary = lambda todo: str(todo.icalendar_component.get('SUMMARY'))
      named = lambda name, text: [t for t in todos(name) if summary(t) == text]
      """
    return try Python.run(program + "\n" + lines, [root] + given)
  }
}
