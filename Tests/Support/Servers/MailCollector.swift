import BelfryTestKit
import Foundation

/// An SMTP server (aiosmtpd) that keeps every mail, with AUTH, STARTTLS and recipients that it refuses.
package final class MailCollector: Sendable {
  /// How the server wants to be spoken to.
  package struct Configuration: Encodable, Sendable {
    /// Who may sign in, and with which password; nobody must if empty.
    package var passwords: [String: String] = [:]
    /// Who may sign in with a token of OAuth 2.0 by XOAUTH2, and with which one.
    package var tokens: [String: String] = [:]
    /// The ways of signing in that it offers.
    package var mechanisms = ["PLAIN", "LOGIN"]
    /// The whole reply to a recipient's `RCPT TO`: `["gone@example.org": "550 5.1.1 no such user"]`.
    package var refused: [String: String] = [:]
    /// Whether it offers STARTTLS, with a certificate.
    package var offersSTARTTLS = true
    /// Whether it takes nothing and lets nobody sign in before STARTTLS.
    package var requiresSTARTTLS = false

    /// A server that takes everything from everybody.
    package init() {}
  }

  /// A mail as it came in, re-read by Python's `email`.
  package struct ReceivedMail: Decodable, Hashable, Sendable {
    /// A part of a mail that is not made of parts itself.
    package struct Part: Decodable, Hashable, Sendable {
      /// The media type, without parameters.
      package let type: String
      /// The file's name, if it has one.
      package let name: String?
      /// The content, decoded.
      package let content: Data

      /// The content as text.
      package var text: String { String(decoding: content, as: UTF8.self) }
    }

    /// The address of `MAIL FROM`.
    package let sender: String
    /// The addresses of `RCPT TO`.
    package let recipients: [String]
    /// The number of the connection, from 1.
    package let connection: Int
    /// Whether the connection was encrypted.
    package let isEncrypted: Bool
    /// Who had signed in.
    package let login: String?
    /// The mail, byte for byte.
    package let raw: Data
    /// The header fields, decoded: name and value of each, in order.
    package let fields: [[String]]
    /// The media type of every part, from the outside in.
    package let structure: [String]
    /// Every part that is not made of parts itself, in order.
    package let parts: [Part]
    /// What Python's parser found wrong.
    package let defects: [String]
    /// Whether every line ends in CRLF and there is neither CR nor LF elsewhere.
    package let hasOnlyCRLF: Bool
    /// The longest line, in bytes, without its end.
    package let longestLine: Int

    /// The first field of a name, in any case.
    package func field(_ name: String) -> String? {
      fields.first { $0.first?.lowercased() == name.lowercased() }?.last
    }
  }

  /// The URL, `smtp://localhost:2525`, or `smtps://localhost:2465` where TLS is implicit.
  package let url: String
  private let process: ServerProcess

  /// Starts a server and waits until it listens.
  ///
  /// - Parameters:
  ///   - configuration: how it wants to be spoken to.
  ///   - authority: whose certificate for `localhost` it shows; `nil` for no TLS.
  ///   - isImplicit: whether TLS starts with the first byte.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(
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
  package func received() throws -> [ReceivedMail] { try process.records(ReceivedMail.self) }

  /// Ends the server.
  package func stop() { process.stop() }
}
