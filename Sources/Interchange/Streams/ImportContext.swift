import BelfryCore
import FoundationEssentials

/// What the readers of files need to know beside the file.
public struct ImportContext: Sendable {
  /// The list for items that stand on none.
  public var defaultListName: String
  /// What a date without a time means.
  public var defaultTime: TimeOfDay
  /// The zones, and the one that floating items are read in.
  public var planner: Planner
  /// The instant of the import.
  public var now: Date

  /// A context with all its fields.
  public init(
    defaultListName: String, defaultTime: TimeOfDay = Settings().defaultTime, planner: Planner, now: Date
  ) {
    self.defaultListName = defaultListName
    self.defaultTime = defaultTime
    self.planner = planner
    self.now = now
  }
}
