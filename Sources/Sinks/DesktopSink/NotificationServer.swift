import BelfryEngine

/// The notification server of a desktop, over one connection to its bus (Desktop Notifications Specification 1.2).
///
/// One thread at a time uses it.
final class NotificationServer {
  /// A press of a button, or a click on a notification.
  struct Press: Hashable, Sendable {
    let notification: UInt32
    /// The key of the button.
    let key: String
  }

  private static let interface = "org.freedesktop.Notifications"
  /// The object of whichever server runs.
  static let object = BusObject(name: interface, path: "/org/freedesktop/Notifications")
  private static let action = "ActionInvoked"
  private static let ownerChange = "NameOwnerChanged"
  private static let portal = BusObject(
    name: "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop")

  private let bus: BusConnection
  /// The unique name of the server; `nil` while none runs.
  private var owner: String? {
    didSet {
      // Another server starts its numbers again.
      guard owner != oldValue else { return }
      (known, name, shown) = (nil, nil, ShownNotifications())
      mayHaveResumed = true
      guard isAwaited, owner != nil else { return }
      (isAwaited, hasResumed) = (false, true)
    }
  }
  private var known: Capabilities?
  private var name: String?
  /// The way in which the server last held notifications back. The bus sends its changes.
  private var hold: DoNotDisturb?
  /// True if a signal has reported a change of ``hold`` since the server was asked.
  private var mayHaveResumed = false
  private var hasResumed = false
  /// True since a call found no server. Stays false if a server ends during a call: the bus might start it, and it
  /// might end, again and again.
  private var isAwaited = false
  /// The notifications that this server shows.
  var shown = ShownNotifications()

  /// Connects to the bus at an address. The server need not run: the first call that needs it has the bus start it.
  init(on address: String) throws(BusFailure) {
    bus = try BusConnection(to: address)
    // Without `arg0`, and without the sender, every program on the bus would wake this one.
    try bus.subscribe(
      to: """
        type='signal',sender='\(BusConnection.bus.name)',path='\(BusConnection.bus.path)',\
        interface='\(BusConnection.bus.name)',member='\(Self.ownerChange)',arg0='\(Self.object.name)'
        """)
    try bus.subscribe(
      to: """
        type='signal',sender='\(Self.object.name)',path='\(Self.object.path)',\
        interface='\(Self.interface)',member='\(Self.action)'
        """)
    owner = try bus.owner(of: Self.object.name)
  }

  /// Readable when a signal arrives; belongs to the connection.
  var descriptor: Int32 { bus.descriptor }

  /// True if a server runs.
  var isRunning: Bool { owner != nil }

  /// Starts the time limit that the following calls share.
  func beginCalls() { bus.beginCalls() }

  private func call(
    _ member: String, _ arguments: (BusMessage) -> Void = { _ in }
  ) throws(BusFailure) -> BusMessage {
    do throws(BusFailure) {
      return try bus.call(Self.object, Self.interface, member, arguments)
    } catch {
      if error.isLackOfServer { isAwaited = true }
      throw error
    }
  }

  /// The server's name and version.
  func information() throws(BusFailure) -> String {
    let reply = try call("GetServerInformation")
    owner = reply.sender
    let texts = [reply.text(), reply.text(), reply.text()].map { $0 ?? "" }
    name = texts[0]
    return "\(texts[0]) \(texts[2])"
  }

  /// The server's abilities, asked for once.
  func capabilities() throws(BusFailure) -> Capabilities {
    if let known { return known }
    let reply = try call("GetCapabilities")
    owner = reply.sender
    let capabilities = Capabilities(reply.texts())
    known = capabilities
    return capabilities
  }

  /// Shows a notification and returns its number.
  ///
  /// - Parameter replaced: the number of the notification to replace; `nil` to show a further one.
  func show(_ notification: Notification, inPlaceOf replaced: UInt32?) throws(BusFailure) -> UInt32 {
    let reply = try call("Notify") { call in
      call.append("Belfry")
      call.append(replaced ?? 0)
      call.append(notification.icon)
      call.append(notification.summary)
      call.append(notification.body)
      call.append(notification.buttons.flatMap { [$0.key, $0.label] })
      call.append([
        "urgency": .byte(notification.urgency.level),
        "category": .text(notification.category),
        "desktop-entry": .text("belfry"),
        "sound-name": notification.sound.map { .text($0) },
        "suppress-sound": notification.isSilent ? .flag(true) : nil,
        "transient": notification.isTransient ? .flag(true) : nil,
        // A press that no program received must not look as if it had worked.
        "resident": notification.buttons.isEmpty ? nil : .flag(true),
      ])
      call.append(notification.milliseconds)
    }
    owner = reply.sender
    guard let number = reply.number() else { throw .refused("its reply to Notify has no number") }
    return number
  }

  /// Closes a notification. One that is closed already stays so.
  func close(_ number: UInt32) throws(BusFailure) {
    shown.remove(number)
    do {
      _ = try call("CloseNotification") { $0.append(number) }
    } catch {
      guard case .refused = error else { throw error }
    }
  }

  /// Opens a page by the desktop's portal, which starts the browser outside this service and its sandbox.
  ///
  /// - Returns: false if the desktop has no portal.
  func open(_ url: String) throws(BusFailure) -> Bool {
    do {
      _ = try bus.call(Self.portal, "org.freedesktop.portal.OpenURI", "OpenURI") { call in
        call.append("")
        call.append(url)
        call.append([:])
      }
      return true
    } catch {
      switch error {
      case .absent, .unstartable, .refused: return false
      default: throw error
      }
    }
  }

  /// Handles the messages that have arrived. Never waits.
  ///
  /// - Parameter pressed: called for each press, also of other programs' buttons.
  func receive(_ pressed: (Press) -> Void) throws(BusFailure) {
    while let message = try bus.receive() {
      if message.isSignal(Self.interface, Self.action) {
        guard let owner, message.sender == owner, let number = message.number(), let key = message.text() else {
          continue
        }
        pressed(Press(notification: number, key: key))
      } else if message.isSignal(BusConnection.bus.name, Self.ownerChange) {
        noteOwner(message)
      } else if hold?.isChange(message) == true {
        mayHaveResumed = true
      }
    }
  }

  // A reply may already have named the new owner.
  private func noteOwner(_ message: BusMessage) {
    guard message.sender == BusConnection.bus.name, message.text() == Self.object.name, let old = message.text(),
      let new = message.text()
    else { return }
    if old == owner ?? "" { owner = new.isEmpty ? nil : new }
  }
}

// MARK: Do-not-disturb

extension NotificationServer {
  /// The reason why the server would not show a notification now, for people; `nil` if it would.
  func reasonToWait(_ urgency: DesktopSettings.Urgency) throws(BusFailure) -> String? {
    if name == nil { _ = try information() }
    let name = name ?? ""
    for way in DoNotDisturb.ways where way.concerns(urgency, of: name) {
      guard try way.isOn(over: bus), try follow(way) else { continue }
      return "do-not-disturb is on in \(name)".visibleLine
    }
    // A more urgent message may be shown while the others are held back.
    if let hold, hold.concerns(urgency, of: name) { try resume() }
    return nil
  }

  /// True once after waiting notifications can be shown: the server no longer holds them back, or a server has
  /// appeared.
  ///
  /// Called after each signal of a change. While notifications are not held back, the bus sends no do-not-disturb
  /// signals.
  func tellsResumption() throws(BusFailure) -> Bool {
    if let hold, mayHaveResumed {
      mayHaveResumed = false
      if isRunning, try !hold.isOn(over: bus) { try resume() }
    }
    defer { hasResumed = false }
    return hasResumed
  }

  /// True if ``tellsResumption()`` has something to check or report.
  var mayTellResumption: Bool { hasResumed || hold != nil && mayHaveResumed }

  // Returns whether it is still on. Subscribes to its changes first, so that its end is not missed.
  private func follow(_ way: DoNotDisturb) throws(BusFailure) -> Bool {
    guard hold != way else { return true }
    try unfollow()
    try bus.subscribe(to: way.rule)
    (hold, mayHaveResumed) = (way, false)
    return try way.isOn(over: bus)
  }

  private func unfollow() throws(BusFailure) {
    guard let rule = hold?.rule else { return }
    hold = nil
    try bus.unsubscribe(from: rule)
  }

  private func resume() throws(BusFailure) {
    try unfollow()
    hasResumed = true
  }
}

// MARK: Receipts

extension NotificationServer {
  /// The text by which this process, or a later one, finds the notification again.
  ///
  /// They include the server and the bus, since both restart their numbers.
  func receipt(of number: UInt32) -> String {
    "notification \(number) of \(owner ?? "") on the bus \(bus.identity.prefix(12))"
  }

  /// The number of the notification of a receipt; `nil` if it was another server's.
  func number(in receipt: String) -> UInt32? {
    let number = receipt.split(separator: " ").dropFirst().first.flatMap { UInt32($0) }
    return number.flatMap { receipt.hasPrefix(self.receipt(of: $0)) ? $0 : nil }
  }

  /// Remembers the notifications of this server, also those of earlier processes, so that a nag replaces the earlier
  /// notification, and a click opens its page.
  func recall(_ copies: [StandingCopy]) {
    shown.prepend(
      copies.compactMap { copy in
        number(in: copy.receipt).map { ShownNotifications.Entry(number: $0, copy.message, links: copy.links) }
      })
  }
}
