import ConfigKeys
import Transport

/// A topic of an ntfy server.
struct NtfyTopic: Hashable, Sendable {
  let name: String
  private let address: ServerURL

  /// The topic of a URL as ntfy shows it: `https://ntfy.sh/mytopic`.
  ///
  /// - Throws: ``ConfigProblem`` if the URL does not end in a topic.
  init(_ address: ServerURL) throws(ConfigProblem) {
    let name = address.path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard Self.isName(name) else {
      throw ConfigProblem("the URL does not end in a topic, as in https://ntfy.sh/mytopic")
    }
    (self.name, self.address) = (String(name), address)
  }

  /// The topic of a URL that is shown in the buttons of messages: without a query, which could be a credential.
  ///
  /// - Throws: ``ConfigProblem`` also for a query.
  init(ofReplies address: ServerURL) throws(ConfigProblem) {
    guard address.target.utf8.count == address.path.utf8.count else {
      throw ConfigProblem("the URL has a query, which everybody who gets a message would see")
    }
    try self.init(address)
  }

  /// The URL without a query.
  var url: String { address.origin + address.path }

  /// The server's root, to which messages are posted as JSON, with the query.
  var server: String {
    address.origin + address.path.dropLast(name.count) + address.target.dropFirst(address.path.count)
  }

  /// True if a text has only characters that are allowed in the name of a topic, or in the id of a message.
  static func isName(_ text: some StringProtocol) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x2d
          || byte == 0x5f
      }
  }
}

extension WebhookAccess {
  /// A request for the messages of a topic. It lacks the user's header fields, which ntfy could take for filters.
  func request(for topic: NtfyTopic, _ query: String, options: TransferOptions) -> HTTPRequest {
    var fields = [HTTPField.userAgent]
    if let authorization { fields.append(HTTPField("Authorization", authorization)) }
    return HTTPRequest(method: "GET", url: "\(topic.url)/json?\(query)", fields: fields, body: [], options: options)
  }
}

extension HTTPResponse {
  /// True if it is ntfy's response to a request for messages.
  var isFromNtfy: Bool { status == 200 && field("Content-Type")?.hasPrefix("application/x-ndjson") == true }
}
