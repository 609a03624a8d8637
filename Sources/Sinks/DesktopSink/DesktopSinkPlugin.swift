import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import FoundationEssentials
import Transport

/// `type: desktop`: a sink that shows notifications on the user's desktop.
package struct DesktopSinkPlugin: SinkPlugin {
  package static let type = "desktop"
  /// A summary on one line.
  package static let summary = "shows each reminder on the desktop, with its actions as buttons"
  /// True, since it is the screen of one machine.
  package static let isOnMachine = true
  private var settings = DesktopSettings()
  private var address: String?
  private let userBus: String?
  private let isInDaemon: Bool
  private let zones: ZoneDatabase

  /// Reads its keys; see ``SinkPlugin``.
  package init(_ section: inout ConfigSection) {
    section.read(
      "bus", &address, .busAddress, "The address of the bus, unix:path=…; by default, that of the user's session.")
    section.read(
      "urgency", &settings.urgency, .choice,
      "The urgency of all its notifications, in place of each alert's; most desktops keep a critical one on screen until it is answered."
    )
    section.read("icon", &settings.icon, .line, "The icon: a name of the desktop's theme, or an absolute path.")
    section.read(
      "shown_for", &settings.shownFor, .duration(atLeast: 1),
      "The time for which it is shown; by default, as the desktop decides.")
    userBus = section.context.environment.userBus
    isInDaemon = section.context.templates != nil
    zones = section.context.zones
  }

  /// Set if neither the config nor the environment names a bus; see ``SinkPlugin``.
  package var absence: String? {
    address ?? userBus == nil
      ? "there is no desktop here: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set" : nil
  }

  /// Makes the sink; see ``SinkPlugin``.
  ///
  /// - Throws: ``BelfryError`` `.badConfig` in a daemon without a user's bus.
  package func makeSink(_ transports: Transports) throws -> any ReminderSink {
    if isInDaemon, let absence {
      throw BelfryError(
        .badConfig, absence,
        hint: "run belfryd as the user's own service: 'belfry service install'; a system service has no desktop")
    }
    let place = address ?? userBus ?? ""
    let desktop = transports.handedOn("\(Self.type) \(place)") { Desktop(at: place) }
    return DesktopSink(settings, on: desktop, zones: zones)
  }
}

extension ConfigType where Value == String {
  /// The address of a bus on this machine.
  fileprivate static var busAddress: ConfigType {
    textual(.line, write: ConfigText.write) { text, _ throws(ConfigProblem) in
      guard text.hasPrefix("unix:"), text.contains("="), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
        throw ConfigProblem(
          "expected the address of a bus such as unix:path=/run/user/1000/bus, found \(inQuotes(text))")
      }
      return text
    }
  }
}

extension ConfigEnvironment {
  /// The address of the user's bus, as sd_bus_open_user(3) finds it; `nil` if the environment names none.
  fileprivate var userBus: String? {
    if let address = variables["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    guard let folder = variables["XDG_RUNTIME_DIR"], !folder.isEmpty else { return nil }
    return "unix:path=" + "\(folder)/bus".utf8.map(Self.escaped).joined()
  }

  // A byte of an address, escaped as in the section "Server Addresses" of the D-Bus specification.
  private static func escaped(_ byte: UInt8) -> String {
    let character = Character(Unicode.Scalar(byte))
    if byte < 0x80, character.isLetter || character.isNumber || "-_/.\\*".contains(character) {
      return String(character)
    }
    return "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }
}
