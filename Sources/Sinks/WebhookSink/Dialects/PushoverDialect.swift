import BelfryModel
import FoundationEssentials
import MessageText
import OrderedJSON
import Transport

extension WebhookFormat {
  /// A message for Pushover, by `https://api.pushover.net/1/messages.json?token=APPLICATION&user=USER`.
  package static let pushover = WebhookFormat("pushover", PushoverDialect())
}

/// A critical message has emergency priority: Pushover repeats it until a person acknowledges it
/// (https://pushover.net/api#priority, https://pushover.net/api/receipts).
private struct PushoverDialect: AcknowledgedDialect {
  private static let (longestTitle, longestURL, receiptLength) = (250, 512, 30)
  /// The seconds between two repetitions and those after which they end: at least 30, and at most three hours.
  private static let (pause, life): (Int64, Int64) = (60, 10_800)

  let service = "Pushover"
  // In characters.
  let longestText = 1_024
  let goodAnswer = GoodAnswer.status(1)

  /// The user's URL without its query, which is sent in the body.
  func url(for address: ServerURL, _ words: [ReminderWords]) -> String { address.origin + address.path }

  func body(_ words: [ReminderWords], of message: Message, to webhook: WebhookAccess) -> JSONValue {
    let text = ChatText(limit: longestText, cost: { $0.unicodeScalars.count })
    let title = words.first?.content.failure?.headline ?? words.first?.list ?? ""
    let link = words.count == 1 ? words.first?.links?.answerURL : nil
    let opened = link.flatMap { $0.utf8.count <= Self.longestURL ? $0 : nil }
    let priority = priority(of: message)
    var body: JSONObject = [
      "title": .string(title.onOneLine().bounded(to: Self.longestTitle) { $0.unicodeScalars.count }),
      "message": .string(text.text(words, showsLinks: opened == nil)),
      "priority": .integer(priority),
    ]
    if priority == Self.emergency {
      (body["retry"], body["expire"]) = (.integer(Self.pause), .integer(Self.life))
      body["tags"] = .string(Self.tag(of: message.update?.messageID ?? message.id))
    }
    if let opened { (body["url"], body["url_title"]) = (.string(opened), "Answer") }
    for (name, value) in webhook.url.parameters { body[name] = .string(value) }
    return .object(body)
  }

  private static let emergency: Int64 = 2

  private func priority(of message: Message) -> Int64 {
    // Without a sound or vibration.
    if message.isSilent { return -1 }
    return switch message.urgency {
    case .low, .normal: 0
    case .high: 1
    case .critical: Self.emergency
    }
  }

  // MARK: Receipts

  func receipt(in response: HTTPResponse) -> String? {
    (try? JSONValue(parsing: response.body))?["receipt"]?.stringValue.flatMap(receipt)
  }

  func receipt(in words: String) -> String? {
    let isReceipt =
      words.utf8.count == Self.receiptLength && words.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return isReceipt ? words : nil
  }

  func url(of receipt: String, for address: ServerURL) -> String {
    "\(Self.receipts(address))/\(receipt).json?\(address.target.dropFirst(address.path.count + 1))"
  }

  func acknowledgement(in response: HTTPResponse) -> Acknowledgement {
    // An unknown receipt, or a receipt that is a week old.
    guard ![400, 404].contains(response.status) else { return .over }
    guard let json = try? JSONValue(parsing: response.body), json["status"]?.integerValue == 1 else { return .unknown }
    if json["acknowledged"]?.integerValue == 1 {
      let time = json["acknowledged_at"]?.integerValue.flatMap {
        $0 > 0 ? Date(timeIntervalSince1970: Double($0)) : nil
      }
      return .given(at: time)
    }
    return json["expired"]?.integerValue == 1 ? .over : .pending
  }

  // By the tag, since the receipt of an emergency is unknown if the reply was lost.
  func cancellation(of message: UUID, for address: ServerURL) -> (url: String, body: JSONValue) {
    let token = address.parameters.first { $0.name == "token" }?.value ?? ""
    return ("\(Self.receipts(address))/cancel_by_tag/\(Self.tag(of: message)).json", ["token": .string(token)])
  }

  private static func tag(of message: UUID) -> String { "belfry-\(message.text)" }

  // Next to the path of messages: `/1/receipts`.
  private static func receipts(_ address: ServerURL) -> String {
    let folder = address.path.split(separator: "/").dropLast().joined(separator: "/")
    return "\(address.origin)/\(folder.isEmpty ? "" : folder + "/")receipts"
  }
}

extension ServerURL {
  /// The names and values of the query, decoded.
  fileprivate var parameters: [(name: String, value: String)] {
    target.dropFirst(path.count + 1).split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded)
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }

  // As application/x-www-form-urlencoded.
  private static func decoded(_ text: Substring) -> String {
    var (bytes, rest) = ([UInt8](), text.utf8[...])
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
