import BelfryTestKit
import Foundation

/// An SMTP server (aiosmtpd) that keeps every mail, with AUTH, STARTTLS and refused recipients.
package final class MailCollector: Sendable {
  package struct Configuration: Encodable, Sendable {
    /// The users and their passwords; empty for no authentication.
    package var passwords: [String: String] = [:]
    /// The users and their OAuth 2.0 tokens, for XOAUTH2.
    package var tokens: [String: String] = [:]
    package var mechanisms = ["PLAIN", "LOGIN"]
    /// The reply to `RCPT TO` of refused recipients: `["gone@example.org": "550 5.1.1 no such user"]`.
    package var refused: [String: String] = [:]
    /// True if it offers STARTTLS, with a certificate.
    package var offersSTARTTLS = true
    /// True if it refuses mail and authentication before STARTTLS.
    package var requiresSTARTTLS = false

    /// A server that accepts every mail.
    package init() {}
  }

  /// A received mail, parsed by Python's `email`.
  package struct ReceivedMail: Decodable, Hashable, Sendable {
    /// A part of a mail, other than a multipart.
    package struct Part: Decodable, Hashable, Sendable {
      /// The media type, without parameters.
      package let type: String
      /// The file's name, if it has one.
      package let name: String?
      /// The content, decoded.
      package let content: Data

      package var text: String { String(decoding: content, as: UTF8.self) }
    }

    /// The address of `MAIL FROM`.
    package let sender: String
    /// The addresses of `RCPT TO`.
    package let recipients: [String]
    /// The number of the connection, from 1.
    package let connection: Int
    /// True if the connection was encrypted.
    package let isEncrypted: Bool
    /// The authenticated user, if any.
    package let login: String?
    package let raw: Data
    /// The header fields, decoded: name and value of each, in order.
    package let fields: [[String]]
    /// The media type of every part, outermost first.
    package let structure: [String]
    /// Every part other than a multipart, in order.
    package let parts: [Part]
    /// The defects found by Python's parser.
    package let defects: [String]
    /// True if every line ends in CRLF, with no other CR or LF.
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
  ///   - configuration: its behaviour.
  ///   - authority: the issuer of its certificate for `localhost`; `nil` for no TLS.
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

  /// Every mail so far, in order of arrival.
  ///
  /// - Throws: errors of reading and decoding.
  package func received() throws -> [ReceivedMail] { try process.records(ReceivedMail.self) }

  package func stop() { process.stop() }
}
