import AnswerTokens
import BelfryEngine
import FoundationEssentials

/// An opened link, with the links of the same message's actions.
struct AnswerLink: Sendable {
  /// The content of its token.
  let token: AnswerToken
  private let text: String
  private let ring: KeyRing

  fileprivate init(_ token: AnswerToken, _ text: String, _ ring: KeyRing) {
    (self.token, self.text, self.ring) = (token, text, ring)
  }

  /// The path of an action, 0 for the page itself: signed by the same key, for the same person and the same time.
  func path(action: Int) -> String {
    SecretPath.answers + ring.sign(token.of(action: UInt16(clamping: action)), for: .link, as: text)
  }

  /// The identity of the link, whichever action it names.
  var identity: String { token.of(action: 0).identity }

  /// The identities of the presses of the first `actions` actions over this link.
  func presses(of actions: Int) -> Set<String> {
    Set((0...actions).map { token.of(action: UInt16(clamping: $0)).identity })
  }
}

/// The links that this server has made.
struct LinkReader: Sendable {
  /// The result of opening a link's text.
  enum Opened: Sendable {
    case valid(AnswerLink)
    case expired(AnswerLink)
    /// The token was never issued here, or its key is gone. The two cases look the same.
    case bad
  }

  /// The file of the keys; `nil` if its path is unknown.
  let file: KeyRingFile?

  /// Opens a link.
  ///
  /// - Throws: ``BelfryError`` if the keys cannot be read.
  func open(_ text: String, at now: Date) throws -> Opened {
    // The keys are read at each use, so that a rotation takes effect at once.
    guard let ring = try file?.read() else { return .bad }
    do throws(TokenRefusal) {
      return .valid(AnswerLink(try ring.verify(text, for: .link, at: now), text, ring))
    } catch {
      switch error {
      case .bad: return .bad
      case .expired(let token): return .expired(AnswerLink(token, text, ring))
      }
    }
  }
}
