import Synchronization
import Transport

/// The connections to mail servers, each with its own loop, so that no mail waits for the reply to another mail.
///
/// A free lane is reused only for the same server, credential, security and certificates, since libcurl would use an
/// unencrypted connection for a transfer that requires TLS.
final class MailLanes: Sendable {
  typealias Lane = TransferLoop<MailExchange>

  /// The properties that transfers on one connection share.
  private struct Key: Hashable {
    let url: String
    let security: MailServer.Security
    let credential: MailCredential?
    let files: [String?]

    init(_ server: MailServer) {
      url = server.url
      security = server.security
      credential = server.credential
      files = [server.options.caFile, server.options.clientCertificate, server.options.clientKey]
    }
  }

  private struct State {
    /// The free lanes, the most recently used last.
    var free: [(key: Key, lane: Lane)] = []
    var busy: [ObjectIdentifier: Lane] = [:]
    var isClosed = false
  }

  private static let keptLanes = 16

  private let idleLimit: Duration
  private let state = Mutex(State())

  /// - Parameter idleLimit: the time after which an idle connection is closed.
  init(idleLimit: Duration) { self.idleLimit = idleLimit }

  /// Runs one transfer on its own lane.
  ///
  /// - Throws: ``TransferFailure``.
  func run(_ work: MailExchange.Work) async throws(TransferFailure) -> SMTPReply {
    let key = Key(work.server)
    guard let lane = acquire(key) else { throw .closed }
    defer { release(lane, key) }
    return try await lane.run(work)
  }

  /// Ends all lanes and their transfers.
  ///
  /// - Returns: the lanes, for a caller that waits for their end.
  @discardableResult
  func stop() -> [Lane] {
    let lanes = state.withLock { state in
      state.isClosed = true
      defer { state.free = [] }
      return state.free.map(\.lane) + state.busy.values
    }
    for lane in lanes { lane.stop() }
    return lanes
  }

  private func acquire(_ key: Key) -> Lane? {
    state.withLock { state in
      if state.isClosed { return nil }
      let place = state.free.lastIndex { $0.key == key }
      let lane = place.map { state.free.remove(at: $0).lane } ?? Lane(idleLimit: idleLimit)
      state.busy[ObjectIdentifier(lane)] = lane
      return lane
    }
  }

  private func release(_ lane: Lane, _ key: Key) {
    let surplus = state.withLock { state -> Lane? in
      state.busy[ObjectIdentifier(lane)] = nil
      if state.isClosed || lane.hasEnded { return nil }
      state.free.append((key, lane))
      return state.free.count > Self.keptLanes ? state.free.removeFirst().lane : nil
    }
    surplus?.stop()
  }
}
