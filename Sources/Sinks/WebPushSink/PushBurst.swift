import CivilTime
import FoundationEssentials
import Synchronization
import WebAccess
import WebPush

/// The state that the messages of a burst share: tokens for push services, and the browsers that they reached, which
/// are noted in one commit.
final class PushBurst: Sendable {
  private struct Signed {
    let token: PushToken
    let contact: String?
    let key: [UInt8]
    let madeAt: Date
  }

  private struct State {
    var tokens: [String: Signed] = [:]
    var inFlightCount = 0
    var reached: [PushSubscription] = []
  }

  /// The seconds for which a token is used, a small part of its life.
  private static let tokenUse = 3_600.0
  /// The most push services whose tokens are kept, and the most browsers that wait to be noted.
  private static let (mostTokens, mostReached) = (64, 100)

  private let state = Mutex(State())

  /// A token for a push service; `nil` if the key cannot sign.
  func token(for origin: String, from contact: String?, at now: Date, key: PushKey) -> PushToken? {
    let known = state.withLock { $0.tokens[origin] }
    if let known, known.contact == contact, known.key == key.bytes,
      (0..<Self.tokenUse).contains(now.timeIntervalSince(known.madeAt))
    {
      return known.token
    }
    let made = PushToken(for: origin, from: contact, at: Int64(now.timeIntervalSince1970), key: key)
    guard let made else { return nil }
    state.withLock { state in
      if state.tokens.count >= Self.mostTokens { state.tokens = [:] }
      state.tokens[origin] = Signed(token: made, contact: contact, key: key.bytes, madeAt: now)
    }
    return made
  }

  /// Counts an attempt that starts.
  func begin() { state.withLock { $0.inFlightCount += 1 } }

  /// Ends an attempt.
  ///
  /// - Parameter reached: the browsers whose push services accepted its message.
  /// - Returns: the browsers to note now, with those of earlier attempts; empty while other attempts run.
  func end(_ reached: [PushSubscription]) -> [PushSubscription] {
    state.withLock { state in
      state.inFlightCount -= 1
      state.reached += reached
      guard state.inFlightCount == 0 || state.reached.count >= Self.mostReached else { return [] }
      defer { state.reached = [] }
      return state.reached
    }
  }
}
