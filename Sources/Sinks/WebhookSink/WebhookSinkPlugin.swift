import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import MessageText
import Transport

/// `type: webhook`: a sink that posts to a URL.
package enum WebhookSinkPlugin: SinkPlugin {
  private static let url = SecretKey(
    "url", "Where it posts to: an http or https URL, kept as a secret.", isRequired: true
  ) { secret throws(ConfigProblem) in _ = try ServerURL(secret.revealed, schemes: WebhookEndpoint.schemes) }
  private static let format = ConfigKey(
    "format", .choice(WebhookFormat.self), default: .standard, "How the body looks, and which answer is a good one.")
  private static let secret = SecretKey(
    "secret", "What Standard Webhooks signs with, whsec_…; a list of two while it is replaced.", allowsSeveral: true
  ) { secret throws(ConfigProblem) in _ = try SigningKey(secret) }
  private static let body = ConfigKey("body", optional: .text, "The body of `format: template`, in Mustache.")
  private static let contentType = ConfigKey(
    "content_type", .mediaType, default: "application/json",
    "The media type of `format: template`, by which values are escaped.")
  private static let headers = ConfigKey(
    "headers", HeaderFields.configType, default: [], "Header fields of your own, none of them a secret.")
  private static let username = ConfigKey("username", optional: .line, "Who signs in, with `password` (Basic).")
  private static let password = SecretKey("password", "The password that goes with `username`.")
  private static let token = SecretKey("token", "A token to sign in with (Bearer).", check: asFieldValue)
  private static let authorization = SecretKey(
    "authorization", "The whole header field Authorization, for schemes other than Basic and Bearer.",
    check: asFieldValue)
  private static let timeout = ConfigKey(
    "timeout", .duration(atLeast: 1), default: 15, "How long an attempt may take.")
  private static let concurrency = ConfigKey(
    "concurrency", .integer(1...256), default: 16, "How many attempts may be under way at once.")
  private static let caFile = ConfigKey(
    "ca_file", optional: .pemFile, "Certificates of authorities to trust beside the system's, in PEM.")
  private static let clientCertificate = ConfigKey(
    "client_certificate", optional: .pemFile, "The certificate to show to the server, in PEM.")
  private static let clientKey = ConfigKey(
    "client_key", optional: .pemFile, "Its private key, where the certificate's file does not have it.")

  /// The word `webhook` and its keys.
  package static let description = PluginDescription(
    type: "webhook", summary: "posts each reminder to a URL: Standard Webhooks, Slack, Discord, ntfy or a template",
    keys: [
      url, format, secret, body, contentType, headers, username, password, token, authorization, timeout, concurrency,
      caFile, clientCertificate, clientKey,
    ], check: check)

  /// Makes the sink; see ``SinkPlugin``.
  package static func makeSink(_ section: ConfigSection, transports: Transports) throws -> any ReminderSink {
    guard let url = section.value(url) else { throw BelfryError(.badConfig, "a webhook has no url") }
    var endpoint = WebhookEndpoint(url: url)
    endpoint.format = section.value(format)
    if endpoint.format == .template {
      endpoint.contentType = section.value(contentType)
      do {
        endpoint.template = try Template(
          section.value(body) ?? "", escaping: .of(endpoint.contentType), language: section.context.templates)
      } catch {
        throw BelfryError(.badConfig, error.message)
      }
    }
    endpoint.signing = section.values(secret)
    endpoint.fields = section.value(headers)
    endpoint.authentication = authentication(section)
    endpoint.concurrency = section.value(concurrency)
    endpoint.options = TransferOptions(
      timeoutSeconds: Double(section.value(timeout)), caFile: section.value(caFile)?.path,
      clientCertificate: section.value(clientCertificate)?.path, clientKey: section.value(clientKey)?.path)
    return WebhookSink(endpoint, transports: transports, zones: section.context.zones)
  }

  private static func authentication(_ section: ConfigSection) -> WebhookEndpoint.Authentication? {
    if let username = section.value(username), let password = section.value(password) {
      return .basic(username: username, password: password)
    }
    return section.value(token).map { .bearer($0) } ?? section.value(authorization).map { .field($0) }
  }
}

// MARK: Checks across keys
extension WebhookSinkPlugin {
  private static func asFieldValue(_ secret: Secret) throws(ConfigProblem) {
    guard HeaderFields.isValue(secret.revealed) else {
      throw ConfigProblem("it holds a character that has no place in a header")
    }
  }

  private static func check(_ section: inout ConfigSection) {
    checkFormat(&section)
    checkAuthentication(&section)
    if section.contains(clientKey.name), !section.contains(clientCertificate.name) {
      section.error("'client_key' goes with 'client_certificate'", at: section.position(ofKey: clientKey.name))
    }
  }

  private static func checkFormat(_ section: inout ConfigSection) {
    let format = section.value(format)
    if format == .template {
      guard let text = section.value(body) else {
        if !section.contains(body.name) { section.reportMissing(body.name) }
        return
      }
      do throws(ConfigProblem) {
        let template = try TemplateCheck.check(
          text, contentType: section.value(contentType), language: section.context.templates)
        section.warn(of: template, at: section.position(of: body.name))
      } catch {
        section.error(error.message, at: section.position(of: body.name))
      }
    } else {
      for name in [body.name, contentType.name] where section.contains(name) {
        section.error("\(inQuotes(name)) belongs to 'format: template' only", at: section.position(ofKey: name))
      }
    }
    if !format.isSigned, section.contains(secret) {
      section.error(
        "'secret' belongs to 'format: standard' and 'format: template' only", at: section.position(ofKey: secret))
    }
    if format == .ntfy, let source = section.value(url), source.isFixed, let address = try? source.read(),
      let url = try? ServerURL(address.revealed, schemes: WebhookEndpoint.schemes)
    {
      do throws(ConfigProblem) {
        _ = try NtfyMessage(url)
      } catch {
        section.error(error.message, at: section.position(of: "url"))
      }
    }
  }

  private static func checkAuthentication(_ section: inout ConfigSection) {
    if section.contains(username.name), !section.contains(password) {
      section.error("'username' goes with 'password'", at: section.position(ofKey: username.name))
    }
    if section.contains(password), !section.contains(username.name) {
      section.error("'password' goes with 'username'", at: section.position(ofKey: password))
    }
    if section.value(username)?.utf8.contains(UInt8(ascii: ":")) == true {
      section.error("a user name with a colon cannot be sent (RFC 7617)", at: section.position(of: username.name))
    }
    let given = [password, token, authorization].filter { section.contains($0) }
      .sorted { section.position(ofKey: $0) < section.position(ofKey: $1) }
    for key in given.dropFirst() {
      section.error(
        "\(inQuotes(key.name)) is a second way to sign in, beside \(inQuotes(given[0].name))",
        at: section.position(ofKey: key))
    }
  }
}
