import BelfryCore
import FoundationEssentials

/// The settings of an import, which readers need beside the file.
public struct ImportContext: Sendable {
  /// The list for items without a list.
  public var defaultListName: String
  /// The time of day that a date without a time stands for.
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
