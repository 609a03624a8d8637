import AnswerTokens
import BelfryEngine
import BelfryRuntime
import FoundationEssentials

/// A press of the action that a link names.
struct LinkPress: Sendable {
  /// The result of a press.
  enum Outcome: Sendable {
    /// Nothing was done, since the link's buttons are disabled until an instant.
    case paused(until: Date)
    /// The press was handled, and the content of the reply was read afterwards.
    case pressed(PressResult, Shown)
  }

  /// The content of a reply besides the result.
  enum Shown: Sendable {
    case page(ReminderSheet)
    case program(Hindsight)
  }

  let link: AnswerLink
  /// As in ``Press``.
  let latestAnswer: Int64?
  /// Whether the reply is a page.
  let isForPage: Bool

  /// Makes presses in one transaction, in order; if one fails, the others still take effect.
  ///
  /// - Returns: the outcome of each, in the same order.
  static func make(
    _ presses: [LinkPress], _ belfry: Belfry, _ decoy: Decoy
  ) -> [Result<Outcome, any Error>] {
    do {
      let links = Set(presses.map(\.link.identity))
      let paused = try decoy.access.pauseEnds(ofLinks: links, at: belfry.time.now)
      let acting = presses.filter { paused[$0.link.identity] == nil }
      let results = belfry.answer(acting.map { Press($0.link.token, latestAnswer: $0.latestAnswer) })
      let pausedSince = try decoy.access.pauseEnds(ofLinks: links, at: belfry.time.now)
      let viewpoint = try belfry.hindsight()
      var outcomes = zip(acting, results).map { press, result in
        Result {
          try press.outcome(result.get(), pauseEnd: pausedSince[press.link.identity], belfry, decoy, viewpoint)
        }
      }.makeIterator()
      return presses.compactMap { press in
        paused[press.link.identity].map { .success(.paused(until: $0)) } ?? outcomes.next()
      }
    } catch {
      return presses.map { _ in .failure(error) }
    }
  }

  // If the decoy was pressed at the same moment, the answer is undone.
  private func outcome(
    _ result: PressResult, pauseEnd: Date?, _ belfry: Belfry, _ decoy: Decoy, _ viewpoint: Hindsight
  ) throws -> Outcome {
    if let pauseEnd {
      try decoy.undo(link, belfry)
      return .paused(until: pauseEnd)
    }
    return .pressed(result, isForPage ? .page(try belfry.sheet(of: link.token.reminder)) : .program(viewpoint))
  }
}
