import AnswerTokens
import BelfryEngine
import BelfryModel
import FoundationEssentials
import Synchronization
import SystemFiles

/// The links to the answer page and the tokens of buttons, signed by the ring in the key file.
///
/// The file is read again after a change. While it cannot be used, messages are sent without links and buttons, which
/// is logged once.
final class SignedLinks: AnswerLinks {
  /// The seconds for which the store is not asked again about a lost ring.
  private static let lossPause: Double = 3_600

  private struct State {
    var ring: KeyRing?
    var stamp: FileStamp?
    var isMissing = false
    var lostAt: Date?
    var logged: String?
  }

  private let file: KeyRingFile
  private let publicURL: String?
  private let validFor: Int
  private let log: EventLog
  private let state = Mutex(State())

  /// The links and buttons that a config asks for; `nil` if there is no place for keys.
  convenience init?(_ configuration: Configuration, log: @escaping EventLog) {
    guard let path = configuration.answerKeyFile else { return nil }
    let settings = configuration.settings
    self.init(
      file: KeyRingFile(path: path), publicURL: configuration.hasLinks ? settings.web.publicURL?.origin : nil,
      validFor: settings.answers.validFor, log: log)
  }

  /// Links and buttons by the keys in a file.
  ///
  /// - Parameters:
  ///   - publicURL: the beginning of the links, without a path; `nil` for no links.
  ///   - validFor: the time for which they must work, in seconds.
  init(file: KeyRingFile, publicURL: String?, validFor: Int, log: @escaping EventLog) {
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

  var fingerprint: String? { state.withLock { presentRing(&$0) }?.fingerprint }

  func links(of message: Message) -> [ReminderLinks] {
    guard let publicURL, let signer = signer(of: message) else { return [] }
    func url(_ token: String) -> String { "\(publicURL)/a/\(token)" }
    return message.contents.map { content in
      ReminderLinks(
        answerURL: url(signer.token(for: 0, of: content, use: .link)),
        actions: content.actions.enumerated().map { index, action in
          let token = signer.token(for: index + 1, of: content, use: .link)
          return ActionLink(url: url(token), token: action.isCarriedOutByToken ? token : nil)
        })
    }
  }

  func buttons(of message: Message, over channel: Answer.Channel) -> [[String?]] {
    guard let signer = signer(of: message) else { return [] }
    return message.contents.map { content in
      content.actions.enumerated().map { index, action in
        action.isCarriedOutByToken ? signer.token(for: index + 1, of: content, use: TokenUse(channel)) : nil
      }
    }
  }

  func press(_ token: String, over channel: Answer.Channel, at now: Date) throws(ButtonRefusal) -> Press {
    let (present, isMissing) = state.withLock { state in (presentRing(&state), state.isMissing) }
    guard let ring = present else { throw isMissing ? .unknown : .unverifiable }
    do throws(TokenRefusal) {
      var press = Press(try ring.verify(token, for: TokenUse(channel), at: now))
      press.channel = channel
      return press
    } catch {
      switch error {
      case .bad: throw .unknown
      case .expired: throw .expired
      }
    }
  }

  // `nil` for a message without tokens, and if the ring cannot be used.
  private func signer(of message: Message) -> Signer? {
    guard let tokens = message.tokens else { return nil }
    let ring = state.withLock { state in
      defer { if state.isMissing { report(file.lost, &state) } }
      return presentRing(&state)
    }
    return ring.map {
      Signer(
        ring: $0, key: tokens.key, person: UInt16(clamping: message.person), expiry: TokenExpiry(hours: tokens.expiry))
    }
  }

  // The ring that is now in the file; nil if there is none or it cannot be used.
  private func presentRing(_ state: inout State) -> KeyRing? {
    let stamp = FileStamp(path: file.path)
    // A file that could not be used may have been repaired with the same stamp.
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

  // A ring is made only at the first use, since a new ring in place of a lost one would end the links sent so far.
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
    log(Event(.warning, "messages go out without links and buttons: \(error.line)"))
  }
}

/// Signs the tokens of one message.
private struct Signer {
  let ring: KeyRing
  let key: UInt8
  let person: UInt16
  let expiry: TokenExpiry

  func token(for action: Int, of content: ReminderContent, use: TokenUse) -> String {
    let token = AnswerToken(
      reminder: content.reminderID, action: UInt16(truncatingIfNeeded: action), person: person, expiry: expiry)
    return ring.sign(token, for: use, key: key)
  }
}
