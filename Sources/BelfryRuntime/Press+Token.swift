import AnswerTokens
import BelfryEngine

extension Press {
  /// A press of the action that a token names. The same token pressed twice is one press.
  ///
  /// - Parameters:
  ///   - latestAnswer: as in ``Press``.
  ///   - command: as in ``Press``.
  package init(_ token: AnswerToken, latestAnswer: Int64? = nil, command: String? = nil) {
    self.init(
      reminder: token.reminder, choice: .number(Int(token.action)), channel: .link,
      author: .number(Int64(token.person)), externalID: token.identity, latestAnswer: latestAnswer, command: command)
  }
}
