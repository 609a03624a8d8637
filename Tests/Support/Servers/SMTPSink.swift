import BelfryTestKit
import Foundation

/// Postfix's `smtp-sink`, which accepts any mail and fails where its options say so.
package final class SMTPSink: Sendable {
  /// The URL, such as `smtp://127.0.0.1:2525`.
  package let url: String
  private let process: ServerProcess

  /// Starts `smtp-sink` on the port of an earlier one, and waits until it listens.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(on port: Int, _ options: [String] = []) throws {
    process = try Self.start(options, on: port)
    url = "smtp://127.0.0.1:\(port)"
  }

  /// Starts `smtp-sink` on a free port and waits until it listens.
  ///
  /// - Parameter options: options of `smtp-sink`: `-f RCPT` refuses with 500, `-r RCPT` with 450, `-q DATA` drops the
  ///   connection, `-Q MAIL` replies 421 and drops it, `-W .:600` hangs. The commands are CONNECT, EHLO, MAIL, RCPT,
  ///   DATA, `.` and QUIT.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(_ options: [String] = []) throws {
    (process, url) = try ServerProcess.onFreePort { port in
      (try Self.start(options, on: port), "smtp://127.0.0.1:\(port)")
    }
  }

  private static func start(_ options: [String], on port: Int) throws -> ServerProcess {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let user = getuid() == 0 ? ["-u", "root"] : []
    let process = try ServerProcess(
      "/usr/sbin/smtp-sink", user + ["-v", "-d", folder.file("mail.")] + options + ["127.0.0.1:\(port)", "128"],
      in: folder)
    try process.waitUntilListening(on: port)
    return process
  }

  /// The accepted mails, in no order: the envelope as `X-Mail-Args` and similar fields, then header and body with LF
  /// line ends.
  ///
  /// - Throws: errors of reading the folder.
  package func mails() throws -> [String] {
    try process.folder.names().filter { $0.hasPrefix("mail.") }.map(process.text)
  }

  /// The dialogue so far, of both sides.
  package var dialogue: String { process.log }

  package func stop() { process.stop() }
}
