import BelfryTestKit
import Foundation

/// A bus of a user's session, with dbus-daemon. It starts no services by itself.
package final class SessionBus: Sendable {
  /// The address, `unix:path=…`.
  package let address: String
  private let process: ServerProcess

  /// Starts a bus and waits until it accepts connections.
  ///
  /// - Parameter folder: the folder of its socket `bus`; another bus in the same folder has the same address.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(in folder: TemporaryFolder? = nil) throws {
    let folder = try folder ?? TemporaryFolder(in: TemporaryFolder.inMemory)
    address = "unix:path=\(folder.file("bus"))"
    unlink(folder.file("bus"))
    try Data(Self.configuration(address).utf8).write(to: URL(fileURLWithPath: folder.file("bus.conf")))
    process = try ServerProcess(
      "/usr/bin/dbus-daemon",
      ["--config-file=\(folder.file("bus.conf"))", "--nofork", "--nopidfile", "--print-address=1"], in: folder)
    try process.wait { process.log.contains(address) ? () : nil }
  }

  /// Calls a method and waits for its reply.
  ///
  /// - Parameter arguments: as dbus-send(1) takes them.
  /// - Throws: ``Program/Failure``.
  package func call(_ name: String, _ path: String, _ method: String, _ arguments: [String]) throws {
    _ = try Program.output(
      ["dbus-send", "--bus=\(address)", "--print-reply", "--dest=\(name)", path, method] + arguments)
  }

  /// True if a program has a name.
  package func hasOwner(_ name: String) throws -> Bool {
    let reply = try Program.output([
      "dbus-send", "--bus=\(address)", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
      "org.freedesktop.DBus.NameHasOwner", "string:\(name)",
    ])
    return String(decoding: reply, as: UTF8.self).contains("boolean true")
  }

  /// Ends the bus, and so every connection to it.
  package func stop() { process.stop() }

  private static func configuration(_ address: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>

    """
  }
}
