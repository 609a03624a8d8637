import BelfryModel
import BelfryTestKit
import CurlTransport
import Foundation
import Synchronization
import TestSupport
import Testing
import Transport

/// The failure of some work; records an issue if it succeeds.
func failure<Value>(
  sourceLocation: SourceLocation = #_sourceLocation, _ work: () async throws(TransferFailure) -> Value
) async -> TransferFailure? {
  do throws(TransferFailure) {
    let value = try await work()
    Issue.record("it did not fail but gave \(value)", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

/// The duration of some work.
func duration(_ work: () async throws -> Void) async rethrows -> Duration {
  let start = ContinuousClock.now
  try await work()
  return ContinuousClock.now - start
}

/// A run of the program `curl`, which shows nothing but what it receives.
struct Curling {
  private let folder: TemporaryFolder
  private let pid: pid_t

  init(_ arguments: [String]) throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    pid = try Program.start(["curl", "-s", "-m", "120"] + arguments, output: folder.file("output"))
  }

  /// Its output, once it has ended. Called once.
  func output() throws -> String {
    _ = Program.wait(for: pid)
    return String(decoding: try Data(contentsOf: URL(filePath: folder.file("output"))), as: UTF8.self)
  }
}

/// The output of the program `curl`.
func curl(_ arguments: String...) throws -> String { try Curling(arguments).output() }

/// The output of the program `curl`.
func curl(_ arguments: [String]) throws -> String { try Curling(arguments).output() }

/// Waits until a condition holds, for at most a minute.
func eventually(
  _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ holds: () throws -> Bool
) async rethrows {
  for _ in 1...30_000 {
    if try holds() { return }
    try? await Task.sleep(for: .milliseconds(2))
  }
  Issue.record(what, sourceLocation: sourceLocation)
}

/// A trace that tests can read.
final class RecordedTrace: Sendable {
  private let recorded = Mutex<[TransferLine]>([])

  var lines: [TransferLine] { recorded.withLock { $0 } }

  @Sendable func hear(_ line: TransferLine) { recorded.withLock { $0.append(line) } }
}

extension HTTPRequest {
  static func post(
    _ url: String, _ fields: [HTTPField] = [], body: String = "{}", options: TransferOptions = .patient
  ) -> HTTPRequest {
    HTTPRequest(url: url, fields: fields, body: Array(body.utf8), options: options)
  }

  static func get(_ url: String, _ fields: [HTTPField] = [], options: TransferOptions = .patient) -> HTTPRequest {
    HTTPRequest(method: "GET", url: url, fields: fields, body: [], options: options)
  }
}

extension MailServer {
  /// A server, by default without encryption.
  static func at(
    _ url: String, _ security: Security = .none, _ credential: MailCredential? = nil,
    options: TransferOptions = .patient
  ) -> MailServer {
    MailServer(url: url, security: security, credential: credential, options: options)
  }
}

extension Mail {
  static func sample(to recipient: String = "you@example.org", text: String = "Buy milk\n", html: String? = nil) -> Mail
  {
    Mail(
      sender: "belfry@example.org", recipient: recipient,
      fields: [
        Field("From", "Belfry <belfry@example.org>"), Field("To", recipient), Field("Subject", "Groceries"),
        Field("Message-ID", "<1@example.org>"),
      ], text: text, html: html)
  }
}

extension TransferOptions {
  /// For transfers that must end for another reason than the deadline, however busy the machine is.
  static let patient = TransferOptions(timeoutSeconds: TimeLimit.patience / .seconds(1))
}
