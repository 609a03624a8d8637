import BelfryTestKit
import Foundation

/// Postfix's `smtp-sink`: takes any mail, and fails wherever it is told to.
package final class SMTPSink: Sendable {
  /// The URL, `smtp://127.0.0.1:2525` for one.
  package let url: String
  private let process: ServerProcess

  /// Starts `smtp-sink` again on a port where one was before, and waits until it listens.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(on port: Int, _ options: [String] = []) throws {
    process = try Self.start(options, on: port)
    url = "smtp://127.0.0.1:\(port)"
  }

  /// Starts `smtp-sink` on a free port and waits until it listens.
  ///
  /// - Parameter options: its own options: `-f RCPT` refuses with 500, `-r RCPT` with 450, `-q DATA` drops the
  ///   connection, `-Q MAIL` says 421 and drops it, `-W .:600` hangs; the words are CONNECT, EHLO, MAIL, RCPT, DATA, `.`
  ///   and QUIT.
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

  /// The mails taken so far, in no order: the dialogue's words as `X-Mail-Args` and the like, then header and body with
  /// LF as the end of a line.
  ///
  /// - Throws: what reading the folder throws.
  package func mails() throws -> [String] {
    try process.folder.names().filter { $0.hasPrefix("mail.") }.map(process.text)
  }

  /// What was said so far, by both sides.
  package var dialogue: String { process.log }

  /// Ends the server.
  package func stop() { process.stop() }
}
