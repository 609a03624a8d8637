import BelfryEngine

/// A way to ask whether a desktop holds notifications back.
struct DoNotDisturb: Hashable, Sendable {
  /// All ways. A server is asked in each way that it may support.
  ///
  /// Desktops without a way here keep notifications that they do not show (GNOME, mako).
  static let ways = [
    DoNotDisturb("Inhibited", of: NotificationServer.object.name, showsCritical: true),
    DoNotDisturb("paused", of: "org.dunstproject.cmd0", onlyBy: "dunst", showsCritical: false),
    DoNotDisturb(
      BusObject(name: "org.xfce.Xfconf", path: "/org/xfce/Xfconf"), "org.xfce.Xfconf", "GetProperty",
      ["xfce4-notifyd", "/do-not-disturb"], onlyBy: "Xfce Notify Daemon", showsCritical: true),
  ]

  private let object: BusObject
  private let interface: String
  private let member: String
  private let arguments: [String]
  private let server: String?
  private let showsCritical: Bool

  /// A method that returns a flag in a variant. Signals of the interface report changes, with the same first argument.
  ///
  /// - Parameters:
  ///   - server: the name of the only server to ask in this way; `nil` for all.
  ///   - showsCritical: whether critical notifications are shown even so.
  private init(
    _ object: BusObject, _ interface: String, _ member: String, _ arguments: [String], onlyBy server: String?,
    showsCritical: Bool
  ) {
    (self.object, self.interface, self.member, self.arguments) = (object, interface, member, arguments)
    (self.server, self.showsCritical) = (server, showsCritical)
  }

  private init(_ property: String, of interface: String, onlyBy server: String? = nil, showsCritical: Bool) {
    self.init(
      NotificationServer.object, "org.freedesktop.DBus.Properties", "Get", [interface, property], onlyBy: server,
      showsCritical: showsCritical)
  }

  /// The rule for the signals of its changes.
  var rule: String {
    """
    type='signal',sender='\(object.name)',path='\(object.path)',interface='\(interface)',arg0='\(arguments[0])'
    """
  }

  /// True if a message is one of these signals.
  func isChange(_ message: BusMessage) -> Bool { message.isSignal(interface) }

  /// True if the server may support this way, and the way holds notifications of the urgency back.
  func concerns(_ urgency: DesktopSettings.Urgency, of server: String) -> Bool {
    (self.server ?? server) == server && !(showsCritical && urgency == .critical)
  }

  /// Asks the server, for at most half of the time that is left: the call may have to start a program, but one that hangs
  /// must not hold a notification back. False without a usable reply: the notification is then sent, and the server
  /// decides.
  func isOn(over bus: BusConnection) throws(BusFailure) -> Bool {
    do {
      let reply = try bus.call(object, interface, member, within: bus.remaining / 2) { call in
        for argument in arguments { call.append(argument) }
      }
      return reply.flag() ?? false
    } catch {
      guard error == .ended else { return false }
      throw error
    }
  }
}
