import BelfryModel
import BelfryTestKit
import Foundation
import Synchronization

/// A desktop on a virtual screen, with a bus and a notification server of Debian.
package final class ScreenDesktop: Sendable {
  package enum Server: String, CaseIterable, Sendable {
    /// dunst, whose buttons are in a menu.
    case dunst
    /// xfce4-notifyd, whose buttons are on the notification.
    case xfce
  }

  private static let name = "org.freedesktop.Notifications"
  private static let settingsName = "org.xfce.Xfconf"

  package let bus: SessionBus
  private let server: Server
  private let folder: TemporaryFolder
  private let screen: ServerProcess
  private let variables: [String: String]
  private let process = Mutex<ServerProcess?>(nil)
  private let settings = Mutex<ServerProcess?>(nil)

  /// Starts a screen and a bus; ``start()`` starts the notification server.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(_ server: Server) throws {
    self.server = server
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    self.folder = folder
    // It takes a free number and prints it.
    screen = try ServerProcess(
      "/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"], in: folder)
    bus = try SessionBus()
    variables = [
      "DISPLAY": ":\(try screen.announcedPort())", "DBUS_SESSION_BUS_ADDRESS": bus.address, "HOME": folder.path,
      "XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": folder.file("config"), "NO_AT_BRIDGE": "1",
      "GSETTINGS_BACKEND": "memory",
    ]
    let menu = folder.file("menu")
    try Data("#!/bin/sh\ngrep -m 1 \"^#$(cat '\(folder.file("choice"))') (\"\n".utf8).write(
      to: URL(fileURLWithPath: menu))
    chmod(menu, 0o700)
    try Data("[global]\n  dmenu = \(menu)\n".utf8).write(to: URL(fileURLWithPath: folder.file("dunstrc")))
  }

  /// Starts the notification server and waits until it has its name.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package func start() throws {
    let words =
      switch server {
      case .dunst: ["/usr/bin/dunst", "-conf", folder.file("dunstrc")]
      case .xfce: [try Self.program("org.xfce.xfce4-notifyd.Notifications")]
      }
    if server == .xfce, settings.withLock({ $0 == nil }) {
      let started = try run([try Self.program(Self.settingsName)], as: Self.settingsName)
      settings.withLock { $0 = started }
    }
    let started = try run(words, as: Self.name)
    process.withLock { $0 = started }
  }

  /// Switches do-not-disturb on or off, as a person does.
  ///
  /// - Throws: ``Program/Failure``.
  package func setDoNotDisturb(_ isOn: Bool) throws {
    switch server {
    case .dunst: _ = try output("dunstctl", "set-paused", "\(isOn)")
    case .xfce:
      let property = ["-c", "xfce4-notifyd", "-p", "/do-not-disturb", "-n", "-t", "bool", "-s", "\(isOn)"]
      // On a busy machine it may give up before the settings answer.
      let words = ["xfconf-query"] + property
      for _ in 1...9 { if (try? Program.output(words, environment: variables)) != nil { return } }
      _ = try Program.output(words, environment: variables)
    }
  }

  // Xfce's notification server may end by itself while it starts on a busy machine; the bus would start it again.
  private func run(_ words: [String], as name: String) throws -> ServerProcess {
    for _ in 1...4 { if let started = try? runOnce(words, as: name) { return started } }
    return try runOnce(words, as: name)
  }

  private func runOnce(_ words: [String], as name: String) throws -> ServerProcess {
    let started = try ServerProcess(
      "/usr/bin/env", variables.map { "\($0)=\($1)" } + words, in: TemporaryFolder(in: TemporaryFolder.inMemory))
    try started.wait { (try? bus.hasOwner(name)) == true ? () : nil }
    return started
  }

  /// Ends the notification server, which forgets its notifications.
  package func stop() {
    process.withLock { process in
      process?.stop()
      process = nil
    }
  }

  /// The number of notifications on the screen.
  ///
  /// - Throws: ``Program/Failure``.
  package func shownCount() throws -> Int {
    switch server {
    case .dunst: try Int(output("dunstctl", "count", "displayed").trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    case .xfce: windows().count
    }
  }

  /// Presses a button of the only notification, as a person does.
  ///
  /// - Parameter labels: the labels of all its buttons.
  /// - Throws: ``Program/Failure``; ``BelfryError`` `.notFound` where no notification is on the screen.
  package func press(_ label: String, among labels: [String]) throws {
    switch server {
    case .dunst:
      try Data(label.utf8).write(to: URL(fileURLWithPath: folder.file("choice")))
      _ = try output("dunstctl", "context")
    case .xfce:
      let place = labels.count - 1 - (labels.firstIndex(of: label) ?? 0)
      guard let window = windows().first else { throw BelfryError(.notFound, "no notification is on the screen") }
      let geometry = try output("xdotool", "getwindowgeometry", "--shell", window).split(separator: "\n")
      func value(_ name: String) -> Int {
        geometry.first { $0.hasPrefix("\(name)=") }.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
      }
      // The buttons are at the right end of the last line. The place is the window's, which moves once another is
      // closed.
      let (x, y) = (value("WIDTH") - 57 - 92 * place, value("HEIGHT") - 31)
      _ = try output("xdotool", "mousemove", "--window", window, "--sync", "\(x)", "\(y)", "click", "1")
    }
  }

  /// Clicks on the only notification.
  ///
  /// - Throws: ``Program/Failure``.
  package func click() throws {
    switch server {
    case .dunst: _ = try output("dunstctl", "action", "0")
    // A click closes it, and the action of a click has a button of its own.
    case .xfce: try press("Open", among: ["Open"])
    }
  }

  private func windows() -> [String] {
    // It fails if there is none.
    let found = try? output("xdotool", "search", "--onlyvisible", "--class", "xfce4-notifyd")
    return found?.split(separator: "\n").map(String.init) ?? []
  }

  private func output(_ words: String...) throws -> String {
    String(decoding: try Program.output(words, environment: variables), as: UTF8.self)
  }

  // Its place differs between machines; the bus knows it.
  private static func program(_ service: String) throws -> String {
    let file = "/usr/share/dbus-1/services/\(service).service"
    let lines = try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8).split(separator: "\n")
    return lines.first { $0.hasPrefix("Exec=") }.map { String($0.dropFirst(5)) } ?? ""
  }
}
