import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import MessageText
import Transport

/// `type: email`: a sink that mails.
package enum EmailSinkPlugin: SinkPlugin {
  private static let url = RequiredConfigKey(
    "url", .mailURL, "The server: smtp://host:port, or smtps://host:port for TLS from the first byte.")
  private static let tls = ConfigKey(
    "tls", .choice(MailServer.Security.self), default: .required,
    "How a connection to smtp:// is encrypted: by STARTTLS or not made; by STARTTLS if offered, with a password or "
      + "token as `required`; or not.")
  private static let username = ConfigKey("username", optional: .line, "Who signs in, with `password` or `token`.")
  private static let password = SecretKey("password", "The password to sign in with.")
  private static let token = SecretKey("token", "A token of OAuth 2.0 to sign in with, in place of a password.")
  private static let from = RequiredConfigKey("from", .mailbox, "Who sends: an address, or a name and <an address>.")
  private static let to = RequiredConfigKey(
    "to", .list(of: .located(.mailbox)), "Who receives, each in a mail of its own.")
  private static let subject = ConfigKey("subject", optional: .template(.text), "The subject, in Mustache.")
  private static let text = ConfigKey("text", optional: .template(.text), "The text alternative, in Mustache.")
  private static let html = ConfigKey("html", optional: .template(.html), "The HTML alternative, in Mustache.")
  private static let grouping = ConfigKey(
    "group_by", .choice(MessageGrouping.self), default: .none,
    "What rings in the same minute in one mail: nothing, what is on one list, or all.")
  private static let attachCalendar = ConfigKey(
    "attach_ics", .boolean, default: false, "Whether the item comes along as a calendar file.")
  private static let timeout = ConfigKey(
    "timeout", .duration(atLeast: 1), default: 60, "How long an attempt may take.")
  private static let concurrency = ConfigKey(
    "concurrency", .integer(1...64), default: 4, "How many mails may be under way at once.")
  private static let caFile = ConfigKey(
    "ca_file", optional: .pemFile, "Certificates of authorities to trust beside the system's, in PEM.")
  private static let clientCertificate = ConfigKey(
    "client_certificate", optional: .pemFile, "The certificate to show to the server, in PEM.")
  private static let clientKey = ConfigKey(
    "client_key", optional: .pemFile, "Its private key, where the certificate's file does not have it.")

  /// The word `email` and its keys.
  package static let description = PluginDescription(
    type: "email", summary: "mails each reminder through an SMTP server",
    keys: [
      url, tls, username, password, token, from, to, subject, text, html, grouping, attachCalendar, timeout,
      concurrency, caFile, clientCertificate, clientKey,
    ], check: check)

  /// Makes the sink; see ``SinkPlugin``.
  package static func makeSink(_ section: ConfigSection, transports: Transports) throws -> any ReminderSink {
    guard let url = section.value(url), let from = section.value(from), let to = section.value(to) else {
      throw BelfryError(.badConfig, "an email sink needs url, from and to")
    }
    var settings = EmailSettings(url: url, from: from, to: to.map(\.value))
    settings.security = section.value(tls)
    settings.authentication = authentication(section)
    settings.subject = section.value(subject)
    settings.text = section.value(text)
    settings.html = section.value(html)
    settings.grouping = section.value(grouping)
    settings.attachesCalendar = section.value(attachCalendar)
    settings.concurrency = section.value(concurrency)
    settings.options = TransferOptions(
      timeoutSeconds: Double(section.value(timeout)), caFile: section.value(caFile)?.path,
      clientCertificate: section.value(clientCertificate)?.path, clientKey: section.value(clientKey)?.path)
    return EmailSink(settings, transports: transports, zones: section.context.zones)
  }

  private static func authentication(_ section: ConfigSection) -> EmailSettings.Authentication? {
    guard let username = section.value(username) else { return nil }
    if let token = section.value(token) { return .token(username: username, token) }
    return section.value(password).map { .password(username: username, $0) }
  }
}

// MARK: Checks across keys
extension EmailSinkPlugin {
  private static func check(_ section: inout ConfigSection) {
    checkRecipients(&section)
    checkAuthentication(&section)
    if section.value(url)?.scheme == "smtps", section.contains(tls.name), section.value(tls) != .required {
      section.error(
        "smtps:// is encrypted from the first byte: leave out 'tls', or write smtp://",
        at: section.position(of: tls.name))
    }
    for key in [subject, text, html] {
      section.warn(of: section.value(key), at: section.position(of: key.name))
    }
    if section.contains(clientKey.name), !section.contains(clientCertificate.name) {
      section.error("'client_key' goes with 'client_certificate'", at: section.position(ofKey: clientKey.name))
    }
  }

  private static func checkRecipients(_ section: inout ConfigSection) {
    guard let recipients = section.value(to) else { return }
    if recipients.isEmpty, !section.hasErrors {
      section.error("'to' names nobody", at: section.position(of: to.name))
    }
    var seen: Set<String> = []
    for recipient in recipients where !seen.insert(recipient.value.address).inserted {
      section.error("\(inQuotes(recipient.value.address)) is named twice", at: recipient.position)
    }
  }

  private static func checkAuthentication(_ section: inout ConfigSection) {
    let given = [password, token].filter { section.contains($0) }
      .sorted { section.position(ofKey: $0) < section.position(ofKey: $1) }
    if let key = given.first, !section.contains(username.name) {
      section.error("\(inQuotes(key.name)) goes with 'username'", at: section.position(ofKey: key))
    }
    if given.isEmpty, section.contains(username.name) {
      section.error("'username' goes with 'password' or 'token'", at: section.position(ofKey: username.name))
    }
    for key in given.dropFirst() {
      section.error(
        "\(inQuotes(key.name)) is a second way to sign in, beside \(inQuotes(given[0].name))",
        at: section.position(ofKey: key))
    }
    guard let secret = given.first, section.value(url)?.scheme == "smtp" else { return }
    switch section.value(tls) {
    case .required: break
    case .opportunistic:
      section.warning(
        "'tls: opportunistic' is as 'required' here: the \(secret.name) goes out encrypted or not at all",
        at: section.position(of: tls.name))
    case .none:
      section.warning("'tls: none' lets the \(secret.name) go out unencrypted", at: section.position(of: tls.name))
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
