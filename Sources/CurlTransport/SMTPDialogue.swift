import FoundationEssentials
import Transport

/// The state of an SMTP dialogue, which shows the command of the server's last reply.
///
/// libcurl itself returns the same code for 450 and 550 and does not say which command was refused.
struct SMTPDialogue {
  /// The most bytes of replies during one transfer.
  private static let maximum = 65_536
  private static let longestText = 1_024

  /// The stage of the last command.
  private(set) var stage: SMTPReply.Stage = .greeting
  /// True if QUIT was sent; later replies are ignored.
  private(set) var isQuitting = false
  /// True if MAIL FROM was sent.
  private(set) var isMailing = false
  /// The AUTH mechanisms that the server offers.
  private(set) var offered: [String] = []
  private var hasGreeted = false
  private var hasEncrypted = false
  private var hasSignedIn = false
  /// The server's violation of the protocol.
  private(set) var violation: String?
  private var code: Int?
  private var words: [UInt8] = []
  private var isComplete = false
  private var received = 0
  /// The reply 421 of a server that then closes the connection (RFC 5321 section 3.8); libcurl may continue with HELO.
  private var farewell: SMTPReply?

  /// The server's complete reply to the last command.
  var reply: SMTPReply? {
    guard isComplete, let code else { return nil }
    let text = String(decoding: words.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    return SMTPReply(code: code, text: text, stage: stage)
  }

  /// The reply if it is a refusal.
  var refusal: SMTPReply? { reply.flatMap { $0.code >= 400 ? $0 : nil } ?? farewell }

  /// True if the server has answered EHLO without AUTH, and no STARTTLS will follow.
  ///
  /// - Parameter isEncryptedLater: whether STARTTLS will follow, after which the server may offer AUTH.
  func offersNothing(isEncryptedLater: Bool) -> Bool {
    guard stage == .hello, isComplete, let code, (200...299).contains(code) else { return false }
    return offered.isEmpty && (hasEncrypted || !isEncryptedLater)
  }

  /// True if EHLO was sent without a successful AUTH since.
  var isUnsigned: Bool { hasGreeted && !hasSignedIn }

  /// The server's decoded challenge during AUTH, or its reason for a refusal (RFC 7628 section 3.2.2).
  var challenge: String? {
    guard stage == .authentication, let reply, reply.code == 334, !reply.text.isEmpty else { return nil }
    return Data(base64Encoded: reply.text).map { String(decoding: $0, as: UTF8.self) } ?? reply.text
  }

  /// Processes a line sent by the client.
  mutating func sent(_ line: some Collection<UInt8>) {
    // The client's response to 334 is a part of AUTH, whatever it looks like.
    if stage == .authentication, isComplete, code == 334 { return resetReply() }
    switch String(decoding: line.prefix(4), as: UTF8.self).uppercased() {
    case "EHLO", "HELO":
      stage = .hello
      // Also on a new connection, after a kept one turned out to be closed.
      hasGreeted = true
      hasSignedIn = false
      isMailing = false
      offered = []
    case "STAR":
      stage = .encryption
      hasEncrypted = true
    case "AUTH": stage = .authentication
    case "MAIL":
      stage = .sender
      isMailing = true
    case "RCPT": stage = .recipient
    case "DATA": stage = .data
    case "QUIT":
      isQuitting = true
      return
    default: break
    }
    resetReply()
  }

  /// Processes one or more lines of the server.
  mutating func received(_ bytes: some Collection<UInt8>) {
    if isQuitting || violation != nil { return }
    received += bytes.count
    guard received <= Self.maximum else { return violation = "the server's reply is longer than \(Self.maximum) bytes" }
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) { receive(line) }
  }

  private mutating func receive(_ line: some Collection<UInt8>) {
    let digits = line.prefix(3)
    let separator = line.dropFirst(3).first
    guard digits.count == 3, let value = Int(String(decoding: digits, as: UTF8.self)), (100...599).contains(value),
      separator == nil || separator == UInt8(ascii: " ") || separator == UInt8(ascii: "-")
    else { return violation = "the server does not speak SMTP: '\(Self.printable(line.prefix(80)))'" }
    if isComplete { resetReply() }
    code = value
    isComplete = separator != UInt8(ascii: "-")
    let rest = line.dropFirst(4).prefix(max(0, Self.longestText - words.count))
    if !words.isEmpty, !rest.isEmpty { words.append(0x20) }
    words.append(contentsOf: rest)
    if stage == .hello, offered.isEmpty {
      offered = Self.ways(String(decoding: line.dropFirst(4).prefix(512), as: UTF8.self))
    }
    if stage == .authentication, isComplete, code == 235 { hasSignedIn = true }
  }

  // A line of the reply to EHLO: AUTH PLAIN LOGIN (RFC 4954 section 3).
  private static func ways(_ line: String) -> [String] {
    let words = line.split(separator: " ").map { String($0.prefix { $0.isASCII && !$0.isNewline }) }
    return words.first?.uppercased() == "AUTH" ? words.dropFirst().filter { !$0.isEmpty } : []
  }

  private mutating func resetReply() {
    if code == 421 { farewell = reply }
    code = nil
    words = []
    isComplete = false
  }

  private static func printable(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }
}
