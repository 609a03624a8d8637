/// The configs and units that are installed with Belfry, embedded for `belfry init`, `belfry service` and the manual
/// pages.
package enum ConfigSamples {
  /// A set-up for one purpose.
  package struct Recipe: Sendable {
    /// The name, which is the file's without its ending.
    package let name: String
    /// The config.
    package let text: String
    /// The files beside it that its comment speaks of, without those of secrets.
    package let others: [(name: String, text: String)]

    /// The words after `belfry add` of a first item, which rings in the recipe's way.
    package let firstItem: String
    /// The command that rings, and what it does.
    package let ringing: (command: String, effect: String)

    fileprivate init(
      _ name: String, _ file: [UInt8], beside others: [(String, [UInt8])] = [],
      add firstItem: String = ConfigSamples.firstItem,
      ring ringing: (command: String, effect: String) = ConfigSamples.ringing
    ) {
      (self.name, text) = (name, String(decoding: file, as: UTF8.self))
      (self.firstItem, self.ringing) = (firstItem, ringing)
      self.others = others.map { ($0.0, String(decoding: $0.1, as: UTF8.self)) }
    }

    /// The first sentence of the config's comment, without its full stop.
    package var summary: String {
      let sentence = text.drop { $0 == "#" || $0 == " " }.prefix { $0 != "." && $0 != "\n" }
      return String(sentence)
    }
  }

  /// The words after `belfry add` of a first item.
  package static let firstItem = "Buy milk --due 'tomorrow 9am'"
  /// The command that rings, and what it does.
  package static let ringing = (command: "belfry run", effect: "rings")

  /// The store's path in the samples, which is the default.
  package static let storePath = "~/.local/share/belfry/belfry.sqlite"

  /// A short config to start from.
  package static var start: String { String(decoding: PackageResources.start_yaml, as: UTF8.self) }

  /// The config with every key explained, without its line for editors.
  package static var complete: String {
    let text = String(decoding: PackageResources.belfry_yaml, as: UTF8.self)
    return String(text.drop { $0 != "\n" }.dropFirst())
  }

  /// The unit of systemd that runs `belfryd` for one user.
  package static var daemonUnit: String { String(decoding: PackageResources.belfry_service, as: UTF8.self) }

  /// The unit that runs `belfry-web` for one user.
  package static var webUnit: String { String(decoding: PackageResources.belfry_web_service, as: UTF8.self) }

  /// The socket that starts `belfry-web`.
  package static var webSocketUnit: String { String(decoding: PackageResources.belfry_web_socket, as: UTF8.self) }

  /// The set-ups, by name.
  package static var recipes: [Recipe] {
    [
      Recipe(
        "alertmanager", PackageResources.alertmanager_yaml,
        beside: [("alertmanager.py", PackageResources.alertmanager_py)],
        add: "'Disk full' --due 'in 1 minute' -l On-call --create --category alert"),
      Recipe("apprise", PackageResources.apprise_yaml),
      Recipe(
        "cron", PackageResources.cron_yaml,
        ring: ("belfry run --once", "rings what is due: for cron, as the first lines say")),
      Recipe("desktop", PackageResources.desktop_yaml),
      Recipe("discord", PackageResources.discord_yaml),
      Recipe(
        "family", PackageResources.family_yaml, add: "Insulin --due 8:00 --repeat daily --category medicine"),
      Recipe("fastmail", PackageResources.fastmail_yaml),
      Recipe("gmail", PackageResources.gmail_yaml),
      Recipe("gotify", PackageResources.gotify_yaml),
      Recipe("home-assistant", PackageResources.home_assistant_yaml),
      Recipe("home-assistant-app", PackageResources.home_assistant_app_yaml),
      Recipe("mail", PackageResources.mail_yaml),
      Recipe("matrix", PackageResources.matrix_yaml),
      Recipe("nas", PackageResources.nas_yaml, ring: ("belfryd", "rings: it is the command of the container")),
      Recipe("nextcloud", PackageResources.nextcloud_yaml),
      Recipe("ntfy", PackageResources.ntfy_yaml),
      Recipe("ntfy-buttons", PackageResources.ntfy_buttons_yaml),
      Recipe(
        "on-call", PackageResources.on_call_yaml,
        add: "'Move the database' --due 'friday 22:00' -l 'On call' --create"),
      Recipe("pushover", PackageResources.pushover_yaml),
      Recipe("radicale", PackageResources.radicale_yaml),
      Recipe("slack", PackageResources.slack_yaml),
      Recipe("telegram", PackageResources.telegram_yaml),
      Recipe("todoman", PackageResources.todoman_yaml),
      Recipe(
        "web", PackageResources.web_yaml,
        beside: [("Caddyfile", PackageResources.Caddyfile), ("nginx.conf", PackageResources.nginx_conf)]),
      Recipe("webhook", PackageResources.webhook_yaml),
      Recipe("webpush", PackageResources.webpush_yaml),
    ]
  }
}
