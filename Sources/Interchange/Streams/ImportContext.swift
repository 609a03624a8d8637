import BelfryEngine
import CivilTime
import FoundationEssentials

/// The settings of an import, which readers need in addition to the file.
package struct ImportContext: Sendable {
  /// The list for items without a list.
  var defaultListName: String
  /// The time of day that a date without a time stands for.
  var defaultTime: TimeOfDay
  /// The zones, and the zone in which floating items are read.
  var planner: Planner
  /// The instant of the import.
  var now: Date
  /// True if events of calendars are read as items if their alarms ring.
  var readsEvents: Bool
  /// True if a repeat stays in one piece, with its changed occurrences next to it. A changed occurrence may then change
  /// all later ones, and only an unreadable one is left out.
  var keepsRepeatsWhole: Bool

  package init(
    defaultListName: String, defaultTime: TimeOfDay = Settings().defaultTime, planner: Planner, now: Date,
    readsEvents: Bool = false, keepsRepeatsWhole: Bool = false
  ) {
    self.defaultListName = defaultListName
    self.defaultTime = defaultTime
    self.planner = planner
    self.now = now
    self.readsEvents = readsEvents
    self.keepsRepeatsWhole = keepsRepeatsWhole
  }
}
