import BelfryModel
import FoundationEssentials

/// One use of an action, as it comes in.
public struct Press: Hashable, Sendable {
  /// The way to name an action.
  public enum Choice: Hashable, Sendable {
    /// By its identifier.
    case identifier(String)
    /// By its place among those that the message offers, from 1.
    case number(Int)
  }

  /// The way to name the person who presses.
  public enum Author: Hashable, Sendable {
    /// By the number in the store; 0 for no one in particular.
    case number(Int64)
    /// By the name in the config, to which the store gives a number with the first answer.
    case name(String)
  }

  /// The reminder.
  public var reminder: UUID
  /// The action.
  public var choice: Choice
  /// The way by which it comes.
  public var channel: Answer.Channel
  /// The person who presses.
  public var author: Author
  /// The idempotency key within its channel: the identity of a token, or of an event on the other side. `nil` if each
  /// press counts by itself.
  public var externalID: String?
  /// True if the person has proved who they are. Otherwise what destroys or asks for authentication is refused.
  public var isAuthenticated: Bool
  /// The number of the reminder's latest answer, as the form that was pressed showed it; 0 for none. A spent token acts
  /// only with it.
  public var latestAnswer: Int64?
  /// The time of a press on a message that offers its buttons anew once its answer was taken back: a later press counts
  /// again. `nil` for a link, whose page asks for the latest answer instead.
  public var pressedAt: Date?
  /// The command that it is, as it is typed behind `belfry`, so that `undo` takes it back; `nil` for other channels.
  public var command: String?

  /// A press.
  public init(
    reminder: UUID, choice: Choice, channel: Answer.Channel, author: Author = .number(0),
    externalID: String? = nil, isAuthenticated: Bool = false, latestAnswer: Int64? = nil, pressedAt: Date? = nil,
    command: String? = nil
  ) {
    (self.reminder, self.choice, self.channel, self.author) = (reminder, choice, channel, author)
    (self.externalID, self.isAuthenticated) = (externalID, isAuthenticated)
    (self.latestAnswer, self.pressedAt, self.command) = (latestAnswer, pressedAt, command)
  }
}

/// The result of a press.
public enum PressResult: Hashable, Sendable {
  /// The answer as the store keeps it, with its effect and the reply; the same for each repetition of the press.
  case answered(Answer, isRepetition: Bool)
  /// Nothing was done, since what the same press did was taken back or undone: it acts only with the number of the
  /// reminder's latest answer.
  case spent(latestAnswer: Int64, reply: String)
  /// Nothing was done: the item or list is to be edited, which is no answer.
  case edit(ReminderOwner)
}

extension Belfry {
  /// Answers a reminder: carries out one of its actions and keeps that, in one transaction.
  ///
  /// A press that comes in again changes nothing and gets the same reply. An answer that is not stronger than the one
  /// in force changes nothing either.
  ///
  /// - Throws: ``BelfryError`` `.notFound` for a reminder or action that is not there, and what the store throws.
  public func answer(_ press: Press) throws -> PressResult { try change { try answer(press, in: $0) } }

  /// Answers several reminders in one transaction, in order, so that presses which come at once share one commit.
  ///
  /// Where one of them fails, the transaction is undone and each gets its own: no press fails another.
  ///
  /// - Returns: the result of each press, in order, with the errors that it would have had alone.
  public func answer(_ presses: [Press]) -> [Result<PressResult, any Error>] {
    guard !presses.isEmpty else { return [] }
    do {
      return try change { change in try presses.map { .success(try answer($0, in: change)) } }
    } catch {
      // Where the store is locked, each would wait as long again.
      let isForAll = presses.count == 1 || (error as? BelfryError)?.kind == .tryAgain
      return presses.map { press in isForAll ? .failure(error) : Result { try answer(press) } }
    }
  }

  func answer(_ press: Press, in change: Change) throws -> PressResult {
    var change = change
    change.notes = UndoNotes()
    return try PressInProgress(press, change, settings).run()
  }
}
