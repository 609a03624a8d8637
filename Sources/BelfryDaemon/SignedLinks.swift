import AnswerTokens
import BelfryEngine
import BelfryModel
import FoundationEssentials
import Synchronization
import SystemFiles

/// The links to the answer page, signed by the ring in the key file.
///
/// The file is read again when it was changed. Where it cannot be used, one line of the log says so, and messages go out
/// without links until it can.
final class SignedLinks: AnswerLinks {
  /// The seconds for which a lost ring is not looked for in the store again.
  private static let lossPause: Double = 3_600

  private struct State {
    var ring: KeyRing?
    var stamp: FileStamp?
    var isMissing = false
    var lostAt: Date?
    var logged: String?
  }

  private let file: KeyRingFile
  private let publicURL: String
  private let validFor: Int
  private let log: EventLog
  private let state = Mutex(State())

  /// The links that a config asks for; `nil` where messages carry none.
  convenience init?(_ configuration: Configuration, log: @escaping EventLog) {
    let settings = configuration.settings
    guard configuration.hasLinks, let url = settings.web.publicURL, let path = configuration.answerKeyFile else {
      return nil
    }
    self.init(
      file: KeyRingFile(path: path), publicURL: url.origin, validFor: settings.answers.validFor, log: log)
  }

  /// Links by the keys in a file.
  ///
  /// - Parameters:
  ///   - publicURL: the beginning of the links, without a path.
  ///   - validFor: the time for which they are to work, in seconds.
  init(file: KeyRingFile, publicURL: String, validFor: Int, log: @escaping EventLog) {
    (self.file, self.publicURL, self.validFor, self.log) = (file, publicURL, validFor, log)
  }

  func tokens(claimedAt now: Date, retryMaxAge: Double, isKeyInUse: () throws -> Bool) throws -> MessageTokens? {
    let ring = try state.withLock { state in
      try presentRing(&state) ?? madeRing(&state, at: now, isKeyInUse: isKeyInUse)
    }
    return ring.map { ring in
      let expiry = TokenExpiry(claim: now, validFor: validFor, retryMaxAge: Int(retryMaxAge.rounded(.up)))
      return MessageTokens(key: ring.signingKey, expiry: expiry.hours)
    }
  }

  func links(of message: Message) -> [ReminderLinks] {
    guard let tokens = message.tokens else { return [] }
    let present = state.withLock { state in
      defer { if state.isMissing { report(file.lost, &state) } }
      return presentRing(&state)
    }
    guard let ring = present else { return [] }
    let expiry = TokenExpiry(hours: tokens.expiry)
    return message.contents.map { content in
      func token(_ action: Int) -> String {
        let token = AnswerToken(
          reminder: content.reminderID, action: UInt16(truncatingIfNeeded: action), person: 0, expiry: expiry)
        return ring.sign(token, for: .link, key: tokens.key)
      }
      return ReminderLinks(
        answerURL: url(token(0)),
        actions: content.actions.enumerated().map { index, action in
          let token = token(index + 1)
          return ActionLink(url: url(token), token: action.isCarriedOutByToken ? token : nil)
        })
    }
  }

  private func url(_ token: String) -> String { "\(publicURL)/a/\(token)" }

  // The ring as the file has it now; nil where there is none or it cannot be used.
  private func presentRing(_ state: inout State) -> KeyRing? {
    let stamp = FileStamp(path: file.path)
    // A file that could not be used may have been mended without another stamp.
    if let ring = state.ring, stamp == state.stamp { return ring }
    (state.ring, state.isMissing) = (nil, false)
    do throws(BelfryError) {
      state.ring = try file.read()
      state.isMissing = state.ring == nil
      if state.ring != nil { (state.lostAt, state.logged) = (nil, nil) }
    } catch {
      report(error, &state)
    }
    state.stamp = stamp
    return state.ring
  }

  // A ring is made at the first use alone: a new one in place of a lost one would end the links sent so far.
  private func madeRing(_ state: inout State, at now: Date, isKeyInUse: () throws -> Bool) throws -> KeyRing? {
    guard state.isMissing else { return nil }
    if let lostAt = state.lostAt, 0..<Self.lossPause ~= now.timeIntervalSince(lostAt) { return nil }
    guard try !isKeyInUse() else {
      state.lostAt = now
      report(file.lost, &state)
      return nil
    }
    do throws(BelfryError) {
      let ring = try file.make(at: now)
      (state.ring, state.stamp) = (ring, FileStamp(path: file.path))
      (state.isMissing, state.logged) = (false, nil)
      return ring
    } catch {
      report(error, &state)
      return nil
    }
  }

  private func report(_ error: BelfryError, _ state: inout State) {
    guard error.message != state.logged else { return }
    state.logged = error.message
    log(Event(.warning, "messages go out without links: \(error.line)"))
  }
}
