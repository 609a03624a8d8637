import BelfryEngine
import CivilTime
import ConfigKeys
import MessageText
import Transport

/// `type: webhook`: a sink that posts to a URL.
package struct WebhookSinkPlugin: SinkPlugin {
  package static let type = "webhook"
  /// A summary on one line.
  package static var summary: String {
    let services = WebhookFormat.allCases.compactMap { $0.dialect?.service }.joined(separator: ", ")
    return "posts each reminder to a URL: Standard Webhooks, \(services) or a template"
  }
  private let endpoint: WebhookEndpoint
  private let zones: ZoneDatabase

  /// Reads its keys; see ``SinkPlugin``.
  package init?(_ section: inout ConfigSection) {
    guard let endpoint = WebhookEndpoint(&section) else { return nil }
    self.endpoint = endpoint
    zones = section.context.zones
  }

  /// Makes the sink; see ``SinkPlugin``.
  package func makeSink(_ transports: Transports) -> any ReminderSink {
    WebhookSink(endpoint, transports: transports, zones: zones)
  }
}

extension WebhookEndpoint {
  init?(_ section: inout ConfigSection) {
    var url: SecretSource?
    let urlKey = section.secret(
      "url", &url, "The http or https URL to post to, a secret.", isRequired: true
    ) { secret throws(ConfigProblem) in _ = try ServerURL(secret.revealed, schemes: Self.schemes) }
    section.read("format", &format, .choice, "The format of the body, and of the response that means success.")
    if let dialect = format.dialect, let url { Self.check(url, for: dialect, at: urlKey, &section) }
    let signingKey = section.secrets(
      "secret", &signing, "The signing secret of Standard Webhooks, whsec_…; a list of two during a rotation."
    ) { secret throws(ConfigProblem) in _ = try SigningKey(secret) }
    if !format.isSigned, signingKey.isGiven {
      section.error("'secret' belongs to 'format: standard' and 'format: template' only", at: signingKey.key)
    }
    let replyKey = section.secret(
      "reply_topic", &replyTopic, "The URL of the topic over which answers come back, for `format: ntfy`; a secret."
    ) { secret throws(ConfigProblem) in
      _ = try NtfyTopic(ofReplies: ServerURL(secret.revealed, schemes: Self.schemes))
    }
    if replyKey.isGiven, format != .ntfy {
      section.error("'reply_topic' belongs to 'format: ntfy' only", at: replyKey.key)
    } else if let url, let replyTopic, let topic = Self.fixedTopic(replyTopic), topic == Self.fixedTopic(url) {
      section.error("'reply_topic' must differ from the topic of the messages", at: replyKey.value)
    }
    template = Self.template(&section, format, &contentType)
    section.read("headers", &fields, HeaderFields.configType, "Additional header fields, without secrets.")
    authentication = Self.authentication(&section)
    section.read("timeout", &options.timeoutSeconds, .duration(atLeast: 1), "The time limit of an attempt.")
    section.read("concurrency", &concurrency, .integer(1...256), "The maximum number of attempts at once.")
    options.readCertificates(&section)
    guard let url else { return nil }
    self.url = url
  }

  private static func check(
    _ url: SecretSource, for dialect: any WebhookDialect, at key: KeyPlace, _ section: inout ConfigSection
  ) {
    guard url.isFixed, let address = try? url.read(),
      let url = try? ServerURL(address.revealed, schemes: schemes)
    else { return }
    do throws(ConfigProblem) {
      _ = try dialect.url(for: url, [])
    } catch {
      section.error(error.message, at: key.value)
    }
  }

  // nil for a URL outside of the config, and for a URL that is already reported.
  private static func fixedTopic(_ source: SecretSource) -> String? {
    guard source.isFixed, let secret = try? source.read(),
      let address = try? ServerURL(secret.revealed, schemes: schemes)
    else { return nil }
    return try? NtfyTopic(address).url
  }

  private static func template(
    _ section: inout ConfigSection, _ format: WebhookFormat, _ contentType: inout String
  ) -> Template? {
    var body: String?
    let bodyKey = section.read("body", &body, .text, "The Mustache template of the body, for `format: template`.")
    let typeKey = section.read(
      "content_type", &contentType, .mediaType,
      "The media type of `format: template`, which decides how values are escaped.")
    guard format == .template else {
      for key in [bodyKey, typeKey] where key.isGiven {
        section.error("'\(key.name)' belongs to 'format: template' only", at: key.key)
      }
      return nil
    }
    if !bodyKey.isGiven { section.reportMissing(bodyKey.name) }
    guard let body else { return nil }
    do throws(ConfigProblem) {
      let template = try TemplateCheck.check(body, contentType: contentType, language: section.context.templates)
      section.warn(of: template, at: bodyKey)
      return template
    } catch {
      section.error(error.message, at: bodyKey.value)
      return nil
    }
  }

  private static func authentication(_ section: inout ConfigSection) -> Authentication? {
    var name: String?
    let nameKey = section.read("username", &name, .line, "The user name for Basic authentication.")
    var password: SecretSource?
    let passwordKey = section.secret("password", &password, "The password for `username`.")
    var token: SecretSource?
    let tokenKey = section.secret("token", &token, "The token for Bearer authentication.", check: HeaderFields.check)
    var field: SecretSource?
    let fieldKey = section.secret(
      "authorization", &field, "The whole header field Authorization, for other schemes than Basic and Bearer.",
      check: HeaderFields.check)

    if nameKey.isGiven, !passwordKey.isGiven { section.error("'username' goes with 'password'", at: nameKey.key) }
    if passwordKey.isGiven, !nameKey.isGiven { section.error("'password' goes with 'username'", at: passwordKey.key) }
    if name?.utf8.contains(UInt8(ascii: ":")) == true {
      section.error("a user name with a colon cannot be sent (RFC 7617)", at: nameKey.value)
    }
    _ = section.firstSignIn(of: [passwordKey, tokenKey, fieldKey])
    if let name, let password { return .basic(username: name, password: password) }
    return token.map { .bearer($0) } ?? field.map { .field($0) }
  }
}
