import BelfryEngine
import CivilTime
import ConfigKeys
import MessageText
import Transport

/// `type: email`: a sink that mails.
package struct EmailSinkPlugin: SinkPlugin {
  package static let type = "email"
  /// A summary on one line.
  package static let summary = "mails each reminder through an SMTP server"
  private let settings: EmailSettings
  private let zones: ZoneDatabase

  /// Reads its keys; see ``SinkPlugin``.
  package init?(_ section: inout ConfigSection) {
    guard let settings = EmailSettings(&section) else { return nil }
    self.settings = settings
    zones = section.context.zones
  }

  /// Makes the sink; see ``SinkPlugin``.
  package func makeSink(_ transports: Transports) -> any ReminderSink {
    EmailSink(settings, transports: transports, zones: zones)
  }
}

extension EmailSettings {
  init?(_ section: inout ConfigSection) {
    let url = section.require(
      "url", .mailURL, "The server: smtp://host:port, or smtps://host:port for implicit TLS.")
    let tls = section.read(
      "tls", &security, .choice,
      "The encryption of smtp://: STARTTLS required, STARTTLS if offered (required with a password or token), or none."
    )
    if url?.scheme == "smtps", tls.isGiven, security != .required {
      section.error("smtps:// is encrypted from the first byte: leave out 'tls', or write smtp://", at: tls.value)
    }
    let secret: KeyPlace?
    (authentication, secret) = Self.authentication(&section)
    if let secret, url?.scheme == "smtp" { security.warn(of: secret, at: tls, &section) }
    let from = section.require("from", .mailbox, "The sender: an address, or a name and <an address>.")
    let to = section.require(
      "to", .located(.list(of: .located(.mailbox))), "The recipients, each of whom gets a mail of their own.")
    if let to { Self.check(to, &section) }
    section.read(template: "subject", &subject, .text, "The Mustache template of the subject.")
    section.read(template: "text", &text, .text, "The Mustache template of the text alternative.")
    section.read(template: "html", &html, .html, "The Mustache template of the HTML alternative.")
    section.read(
      "group_by", &grouping, .choice, "The reminders of one minute that share a mail: none, those of one list, or all."
    )
    section.read("attach_ics", &attachesCalendar, .boolean, "Whether to attach the item as a calendar file.")
    section.read("timeout", &options.timeoutSeconds, .duration(atLeast: 1), "The time limit of an attempt.")
    section.read("concurrency", &concurrency, .integer(1...64), "The maximum number of mails sent at once.")
    options.readCertificates(&section)
    guard let url, let from, let to else { return nil }
    self.url = url
    self.from = from
    self.to = to.value.map(\.value)
  }

  private static func authentication(_ section: inout ConfigSection) -> (Authentication?, secret: KeyPlace?) {
    var name: String?
    let nameKey = section.read("username", &name, .line, "The user name for `password` or `token`.")
    var password: SecretSource?
    let passwordKey = section.secret("password", &password, "The password for `username`.")
    var token: SecretSource?
    let tokenKey = section.secret("token", &token, "The OAuth 2.0 token, instead of a password.")
    let secret = section.firstSignIn(of: [passwordKey, tokenKey])
    if let secret, !nameKey.isGiven { section.error("'\(secret.name)' goes with 'username'", at: secret.key) }
    if secret == nil, nameKey.isGiven {
      section.error("'username' goes with 'password' or 'token'", at: nameKey.key)
    }
    guard let name else { return (nil, secret) }
    if let token { return (.token(username: name, token), secret) }
    return (password.map { .password(username: name, $0) }, secret)
  }

  private static func check(_ recipients: Located<[Located<Mailbox>]>, _ section: inout ConfigSection) {
    if recipients.value.isEmpty, !section.hasErrors { section.error("'to' names nobody", at: recipients.position) }
    var seen: Set<String> = []
    for recipient in recipients.value where !seen.insert(recipient.value.address).inserted {
      section.error("\(inQuotes(recipient.value.address)) is named twice", at: recipient.position)
    }
  }
}

extension MailServer.Security {
  /// Warns how this choice sends a password or token.
  fileprivate func warn(of secret: KeyPlace, at tls: KeyPlace, _ section: inout ConfigSection) {
    switch self {
    case .required: break
    case .opportunistic:
      section.warning(
        "'tls: opportunistic' is as 'required' here: the \(secret.name) goes out encrypted or not at all",
        at: tls.value)
    case .none: section.warning("'tls: none' lets the \(secret.name) go out unencrypted", at: tls.value)
    }
  }
}

extension ConfigType where Value == ServerURL {
  /// The URL of a mail server.
  static var mailURL: ConfigType {
    .scalar(.line, write: { $0.text }) { scalar, _ throws(ConfigProblem) in
      guard scalar.kind == .text else { return nil }
      let url = try ServerURL(scalar.text, schemes: ["smtp", "smtps"])
      guard url.target == "/" else { throw ConfigProblem("the URL of a mail server ends with its host or port") }
      return url
    }
  }
}
