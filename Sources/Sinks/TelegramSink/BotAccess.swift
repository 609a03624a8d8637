import BelfryModel
import ConfigKeys
import FoundationEssentials
import OrderedJSON
import Transport

/// The Bot API (https://core.telegram.org/bots/api) with the token of one bot, read for one use.
struct BotAccess: Sendable {
  /// The longest response to a poll, in bytes.
  private static let longestPoll = 4_194_304

  /// Masks the token, which is part of every URL.
  let redaction: Redaction
  private let url: String
  private let options: TransferOptions
  private let http: any HTTPTransport

  /// Reads the token.
  ///
  /// - Throws: ``BelfryError`` that names the source which cannot be read or used, without its content.
  init(_ settings: TelegramSettings, _ transports: Transports) throws(BelfryError) {
    let token = try settings.token.read()
    let key = token.revealed.drop { $0 != ":" }.dropFirst()
    url = "\(settings.server)/bot\(token.revealed)/"
    http = transports.http
    redaction = Redaction([token, Secret(String(key))] + http.secrets)
    var options = settings.options
    if let trace = transports.trace { options.trace = redaction.masking(trace) }
    self.options = options
  }

  /// Checks the form of a token: the bot's number, a colon, and letters.
  ///
  /// - Throws: ``ConfigProblem``.
  static func check(_ token: Secret) throws(ConfigProblem) {
    let parts = token.revealed.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let isToken =
      parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && parts[0].allSatisfy(isDigit)
      && parts[1].allSatisfy { isDigit($0) || (0x61...0x7a).contains($0 | 0x20) || $0 == 0x2d || $0 == 0x5f }
    guard isToken else { throw ConfigProblem("it is not the token of a bot: 123456:ABC-DEF…") }
  }

  /// Calls a method.
  ///
  /// - Throws: ``TransferFailure`` if there is no reply.
  func call(_ method: String, _ parameters: JSONObject = [:]) async throws(TransferFailure) -> BotReply {
    BotReply(try await http.send(request(method, parameters)))
  }

  /// Calls a method that waits, and whose result may be long.
  ///
  /// - Parameter seconds: the longest time for which the server waits.
  /// - Throws: ``TransferFailure`` if there is no reply.
  func poll(
    _ method: String, _ parameters: JSONObject, waiting seconds: Double
  ) async throws(TransferFailure) -> BotReply {
    let stream = try await http.stream(
      request(method, parameters), silenceSeconds: seconds + options.timeoutSeconds)
    guard stream.head.status == 200 else { return BotReply(await stream.response()) }
    return BotReply(HTTPResponse(status: 200, body: try await stream.body(upTo: Self.longestPoll)))
  }

  private func request(_ method: String, _ parameters: JSONObject) -> HTTPRequest {
    var body: [UInt8] = []
    JSONValue.object(parameters).write(into: &body)
    return HTTPRequest(
      url: url + method, fields: [HTTPField("Content-Type", "application/json"), .userAgent], body: body,
      options: options)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension BotAccess: CustomStringConvertible, CustomReflectable {
  var description: String { Secret.placeholder }
  /// A mirror without children, so that dumping it shows no token.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
