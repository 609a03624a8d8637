import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import WebAccess

/// The hidden button of each page. Programs that scan mail press every button: pressing this one undoes everything that
/// was done over the link within the last minute, and disables the link's buttons for ten minutes.
struct Decoy: Sendable {
  /// The time for which the link's buttons are disabled, in seconds.
  static let pauseTime = 600.0

  private static let undoneTime = 60.0

  let access: AccessStore
  let takeBacks: RecentTakeBacks

  /// The instant until which a link's buttons are disabled; `nil` if they are enabled.
  func pauseEnd(of link: AnswerLink, at now: Date) throws -> Date? {
    try access.pauseEnd(ofLink: link.identity, at: now)
  }

  /// Presses the hidden button.
  ///
  /// - Returns: the instant until which the link's buttons are disabled.
  func press(over link: AnswerLink, _ belfry: Belfry) throws -> Date {
    let now = belfry.time.now
    let end = now.addingTimeInterval(Self.pauseTime)
    try access.pause(link: link.identity, until: end, at: now)
    try undo(link, belfry)
    return end
  }

  /// Carries out the action of another button, unless the link's buttons are disabled.
  ///
  /// - Returns: the result, or the instant until which the buttons are disabled.
  func unlessPaused<Result>(
    _ link: AnswerLink, _ belfry: Belfry, _ body: () throws -> Result
  ) throws -> (Result?, pauseEnd: Date?) {
    if let end = try pauseEnd(of: link, at: belfry.time.now) { return (nil, end) }
    let result = try body()
    // If the hidden button was pressed at the same moment, the result is undone.
    guard let end = try pauseEnd(of: link, at: belfry.time.now) else { return (result, nil) }
    try undo(link, belfry)
    return (nil, end)
  }

  /// Undoes everything that was done over a link within the last minute.
  func undo(_ link: AnswerLink, _ belfry: Belfry) throws {
    let start = belfry.time.now.wholeSeconds.addingTimeInterval(-Self.undoneTime)
    let reminder = link.token.reminder
    let actions = try belfry.sheet(of: reminder).offers.count
    try takeBacks.forget(over: link.identity, since: start) { takenBack in
      try belfry.undoPresses(
        by: .link, link.presses(of: actions), takenBack: takenBack, over: reminder, since: start)
    }
  }
}
