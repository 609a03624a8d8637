import BelfryEngine
import CivilTime
import FoundationEssentials

/// The settings of an import, which readers need beside the file.
package struct ImportContext: Sendable {
  /// The list for items without a list.
  var defaultListName: String
  /// The time of day that a date without a time stands for.
  var defaultTime: TimeOfDay
  /// The zones, and the one that floating items are read in.
  var planner: Planner
  /// The instant of the import.
  var now: Date
  /// True if events of calendars are read as items, where their alarms ring.
  var readsEvents: Bool

  package init(
    defaultListName: String, defaultTime: TimeOfDay = Settings().defaultTime, planner: Planner, now: Date,
    readsEvents: Bool = false
  ) {
    self.defaultListName = defaultListName
    self.defaultTime = defaultTime
    self.planner = planner
    self.now = now
    self.readsEvents = readsEvents
  }
}
