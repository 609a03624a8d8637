import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import WebAccess

/// The hidden control of each page. Programs that check mail press every control: its press undoes what was done over
/// the link within the last minute, and disables the link's buttons for ten minutes.
struct Decoy: Sendable {
  /// The time for which the link only shows, in seconds.
  static let pauseTime = 600.0

  private static let undoneTime = 60.0

  let access: AccessStore
  let takeBacks: RecentTakeBacks

  /// The instant until which a link only shows; `nil` if it acts.
  func pauseEnd(of link: AnswerLink, at now: Date) throws -> Date? {
    try access.pauseEnd(ofLink: link.identity, at: now)
  }

  /// Presses it.
  ///
  /// - Returns: the instant until which the link only shows.
  func press(over link: AnswerLink, _ belfry: Belfry) throws -> Date {
    let now = belfry.time.now
    let end = now.addingTimeInterval(Self.pauseTime)
    try access.pause(link: link.identity, until: end, at: now)
    try undo(link, belfry)
    return end
  }

  /// Carries out another control, unless the link's buttons are disabled.
  ///
  /// - Returns: the result, or the instant until which the link only shows.
  func unlessPaused<Result>(
    _ link: AnswerLink, _ belfry: Belfry, _ body: () throws -> Result
  ) throws -> (Result?, pauseEnd: Date?) {
    if let end = try pauseEnd(of: link, at: belfry.time.now) { return (nil, end) }
    let result = try body()
    // It may be pressed at the same moment: then nothing stays.
    guard let end = try pauseEnd(of: link, at: belfry.time.now) else { return (result, nil) }
    try undo(link, belfry)
    return (nil, end)
  }

  /// Undoes what was done over a link within the last minute.
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
