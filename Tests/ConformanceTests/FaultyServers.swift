import BelfryTestKit
import CurlTransport
import Synchronization
import TestSupport
import Transport

/// The servers that misbehave for the sinks of a fixture over libcurl, and the dialogue with them.
final class FaultyServers: Sendable {
  private let transport = CurlTransport()
  private let servers = Mutex<[any Sendable]>([])
  private let lines = Mutex<[String]>([])

  /// The transports of a sink.
  var transports: Transports {
    Transports(http: transport, mail: transport) { [weak self] line in
      self?.lines.withLock { $0.append("\(line)") }
    }
  }

  /// The lines that sinks have passed to the trace.
  var dialogue: [String] { lines.withLock { $0 } }

  /// The URL of a new server with a fault.
  ///
  /// - Parameters:
  ///   - busy: the status of one that asks to try again later.
  ///   - answer: the answer with a status, which repeats the sink's secrets.
  func url(
    with fault: SinkFault, busy: Int = 503, answering answer: (_ status: Int) -> HTTPCollector.Answer
  ) throws -> String {
    switch fault {
    case .refusing: try keep(HTTPCollector(answers: [answer(400)])).url
    case .busy: try keep(HTTPCollector(answers: [answer(busy)])).url
    case .dropping: try rude(.reset)
    case .droppingAtTheEnd: try rude(.closing)
    case .hanging: try rude(.silent)
    case .slow: try rude(.slowBody)
    case .babbling: try rude(.garbage)
    case .untrusted: try keep(HTTPCollector(authority: TestAuthority())).url
    }
  }

  private func rude(_ manner: RudeServer.Manner) throws -> String { "http://\(try keep(RudeServer(manner)).address)" }

  private func keep<Server: Sendable>(_ server: Server) -> Server {
    servers.withLock { $0.append(server) }
    return server
  }
}
