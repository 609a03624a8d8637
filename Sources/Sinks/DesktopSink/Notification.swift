/// One notification, as a call of `Notify` carries it.
struct Notification: Hashable, Sendable {
  struct Button: Hashable, Sendable {
    /// The word that the server sends back when the button is pressed.
    let key: String
    let label: String
  }

  /// The title, without markup.
  var summary: String
  /// The text, with markup if the server supports it.
  var body = ""
  var buttons: [Button] = []
  /// The name or path of an icon.
  var icon = ""
  var urgency = DesktopSettings.Urgency.normal
  /// The kind, for the rules of a server's user.
  var category = "x-belfry.reminder"
  /// The name of a sound (XDG Sound Naming); `nil` for the server's choice.
  var sound: String?
  /// True if it makes no sound.
  var isSilent = false
  /// True if the server need not keep it.
  var isTransient = false
  /// The milliseconds for which it is shown; 0 until it is closed, -1 for the server's choice.
  var milliseconds: Int32 = -1
}

/// The abilities of a notification server.
struct Capabilities: Hashable, Sendable {
  /// True if it shows buttons.
  let hasButtons: Bool
  /// True if it interprets markup in a body.
  let hasMarkup: Bool

  /// The capabilities that `GetCapabilities` names.
  init(_ names: [String]) {
    hasButtons = names.contains("actions")
    hasMarkup = names.contains("body-markup")
  }
}
