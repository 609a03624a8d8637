import BelfryCore
import Foundation

/// An SMTP server (aiosmtpd) that keeps every mail, with AUTH, STARTTLS and recipients that it refuses.
public final class MailCollector: Sendable {
  /// How the server wants to be spoken to.
  public struct Configuration: Encodable, Sendable {
    /// Who may sign in, and with which password; nobody must if empty.
    public var passwords: [String: String] = [:]
    /// Who may sign in with a token of OAuth 2.0 by XOAUTH2, and with which one.
    public var tokens: [String: String] = [:]
    /// The ways of signing in that it offers.
    public var mechanisms = ["PLAIN", "LOGIN"]
    /// The whole reply to a recipient's `RCPT TO`: `["gone@example.org": "550 5.1.1 no such user"]`.
    public var refused: [String: String] = [:]
    /// Whether it offers STARTTLS, with a certificate.
    public var offersSTARTTLS = true
    /// Whether it takes nothing and lets nobody sign in before STARTTLS.
    public var requiresSTARTTLS = false

    /// A server that takes everything from everybody.
    public init() {}
  }

  /// A mail as it came in, re-read by Python's `email`.
  public struct ReceivedMail: Decodable, Hashable, Sendable {
    /// A part of a mail that is not made of parts itself.
    public struct Part: Decodable, Hashable, Sendable {
      /// The media type, without parameters.
      public let type: String
      /// The file's name, if it has one.
      public let name: String?
      /// The content, decoded.
      public let content: Data

      /// The content as text.
      public var text: String { String(decoding: content, as: UTF8.self) }
    }

    /// The address of `MAIL FROM`.
    public let sender: String
    /// The addresses of `RCPT TO`.
    public let recipients: [String]
    /// The number of the connection, from 1.
    public let connection: Int
    /// Whether the connection was encrypted.
    public let isEncrypted: Bool
    /// Who had signed in.
    public let login: String?
    /// The mail, byte for byte.
    public let raw: Data
    /// The header fields, decoded: name and value of each, in order.
    public let fields: [[String]]
    /// The media type of every part, from the outside in.
    public let structure: [String]
    /// Every part that is not made of parts itself, in order.
    public let parts: [Part]
    /// What Python's parser found wrong.
    public let defects: [String]
    /// Whether every line ends in CRLF and there is neither CR nor LF elsewhere.
    public let hasOnlyCRLF: Bool
    /// The longest line, in bytes, without its end.
    public let longestLine: Int

    /// The first field of a name, in any case.
    public func field(_ name: String) -> String? {
      fields.first { $0.first?.lowercased() == name.lowercased() }?.last
    }
  }

  /// The URL, `smtp://localhost:2525`, or `smtps://localhost:2465` where TLS is implicit.
  public let url: String
  private let process: ServerProcess

  /// Starts a server and waits until it listens.
  ///
  /// - Parameters:
  ///   - configuration: how it wants to be spoken to.
  ///   - authority: whose certificate for `localhost` it shows; `nil` for no TLS.
  ///   - isImplicit: whether TLS starts with the first byte.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  public init(
    _ configuration: Configuration = Configuration(), authority: TestAuthority? = nil, isImplicit: Bool = false
  ) throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    try JSONEncoder().encode(configuration).write(to: URL(fileURLWithPath: folder.file("configuration.json")))
    let identity = try authority?.identity()
    let arguments = identity.map { [isImplicit ? "implicit" : "starttls", $0.certificate, $0.key] } ?? ["plain"]
    process = try ServerProcess.python(mailCollectorProgram, arguments, in: folder)
    url = "\(isImplicit ? "smtps" : "smtp")://localhost:\(try process.announcedPort())"
  }

  /// Every mail so far, in the order in which they were taken.
  ///
  /// - Throws: what reading and decoding throws.
  public func received() throws -> [ReceivedMail] { try process.records(ReceivedMail.self) }

  /// Ends the server.
  public func stop() { process.stop() }
}
