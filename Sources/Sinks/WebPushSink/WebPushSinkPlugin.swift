import BelfryEngine
import CivilTime
import ConfigKeys
import Transport

/// `type: webpush`: a sink that shows each reminder in the browsers that subscribed to it.
package struct WebPushSinkPlugin: SinkPlugin {
  package static let type = "webpush"
  /// A summary on one line.
  package static let summary = "shows each reminder in the browsers that subscribed on the web face, with buttons"
  private let settings: WebPushSettings
  private let zones: ZoneDatabase

  /// Reads its keys; see ``SinkPlugin``.
  package init?(_ section: inout ConfigSection) {
    guard let settings = WebPushSettings(&section) else { return nil }
    self.settings = settings
    zones = section.context.zones
  }

  /// Names the missing contact. If the section has none, the URL of the web face is used.
  package var webFaceNeed: String? {
    settings.contact == nil
      ? "write a 'contact', or a 'web.public_url' with https: without either, Apple's browsers get no message" : nil
  }

  /// Makes the sink; see ``SinkPlugin``.
  package func makeSink(_ transports: Transports) -> any ReminderSink {
    WebPushSink(settings, transports: transports, zones: zones)
  }
}

/// The file, contact and limits of a sink of browsers.
struct WebPushSettings: Sendable {
  /// The path of the file of subscriptions.
  var path: String
  /// The URL by which the operator of a push service reaches the sender; `nil` if the config has none.
  var contact: String?
  /// The origins that messages may go to, in addition to public hosts by https.
  var origins: [String] = []
  /// The timeout and certificates of a transfer.
  var options = TransferOptions()
  /// The most concurrent attempts.
  var concurrency = 16

  /// Settings with defaults for everything else.
  init(path: String) { self.path = path }
}

extension WebPushSettings {
  init?(_ section: inout ConfigSection) {
    let path = section.dataFile(
      "path", in: "webpush.sqlite",
      "The file of the subscribed browsers, and of the key without which they have to subscribe again.")
    var contact: String?
    var (origins, options, concurrency) = ([String](), TransferOptions(), 16)
    section.read(
      "contact", &contact, .contact,
      """
      How the operator of a push service reaches you: a mail address or an https URL; by default `web.public_url`. \
      Apple refuses messages without it.
      """)
    section.read(
      "origins", &origins, .list(of: .origin),
      "Push services of your own network, `https://host:port`; without them messages go to public hosts alone.")
    section.read("timeout", &options.timeoutSeconds, .duration(atLeast: 1), "The time limit of an attempt.")
    section.read("concurrency", &concurrency, .integer(1...256), "The maximum number of attempts at once.")
    options.readCertificates(&section)
    guard let path else { return nil }
    self.init(path: path)
    (self.contact, self.origins, self.options, self.concurrency) = (contact, origins, options, concurrency)
  }
}

extension ConfigType where Value == String {
  /// A mail address or an https URL, as the claim `sub` names it (RFC 8292, section 2.1).
  fileprivate static var contact: ConfigType {
    .textual(.line, write: ConfigText.write) { text, _ throws(ConfigProblem) in
      guard text.contains("@"), !text.hasPrefix("https://") else { return try ServerURL(text, schemes: ["https"]).text }
      let mailbox = try Mailbox(text.hasPrefix("mailto:") ? String(text.dropFirst(7)) : text)
      return "mailto:\(mailbox.address)"
    }
  }

  /// The scheme, host and port of a server.
  fileprivate static var origin: ConfigType {
    .textual(.line, write: ConfigText.write) { text, _ throws(ConfigProblem) in
      let url = try ServerURL(text, schemes: ["https", "http"])
      guard url.target == "/" else { throw ConfigProblem("expected scheme, host and port alone, without a path") }
      return url.origin
    }
  }
}
