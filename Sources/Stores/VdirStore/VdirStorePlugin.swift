import BelfryEngine
import CivilTime
import ConfigKeys
import Glibc

/// `type: vdir`: a store in a folder of iCalendar files.
package struct VdirStorePlugin: StorePlugin {
  package static let type = "vdir"
  /// A summary on one line.
  package static let summary = "a folder of iCalendar files, one for each item, as vdirsyncer and Radicale keep them"
  private let path: String
  private var state: String?
  private var remind = Remind.due
  private var events = false
  private var writesAcknowledged = false
  private let states: String?
  private let zones: ZoneDatabase

  /// Reads its keys; see ``StorePlugin``.
  package init?(_ section: inout ConfigSection) {
    let path = section.require(
      "path", .path, "The folder: each folder in it is a list, and each .ics file with a VTODO in that list is an item."
    )
    section.read(
      "state", &state, .path,
      "The folder for reminders, deliveries, answers and numbers; by default one in $XDG_STATE_HOME/belfry/vdir.")
    section.read(
      "remind", &remind, .choice,
      "What rings: `alarms`, only alarms; `due`, also to-dos that have no alarm and are due at a time of day.")
    section.read("events", &events, .boolean, "Whether events ring too, by their alarms.")
    section.read(
      "write_acknowledged", &writesAcknowledged, .boolean,
      "Whether answers to an event are written into its file, as ACKNOWLEDGED or a snooze alarm, for other devices.")
    states = section.context.stateFile("vdir")
    zones = section.context.zones
    guard let path else { return nil }
    if state == nil, states == nil {
      section.error("the home folder is unknown: set HOME, or write a \"state\"", at: section.position)
      return nil
    }
    self.path = path
  }

  /// The folder, if it does not exist and never did.
  package var absence: String? {
    let place = try? VdirPlace(root: path, state: state, states: states ?? "", VdirFailures(path: path))
    guard access(path, F_OK) != 0, place?.isNew == true else { return nil }
    return "the folder \(path) does not exist: it is made at the first write"
  }

  /// Makes the store; see ``StorePlugin``.
  package func makeStore() -> any ItemStore {
    VdirStore(
      path: path, state: state, states: states ?? "", remind: remind, readsEvents: events,
      writesAcknowledged: writesAcknowledged, zones: zones)
  }
}

/// The times at which a to-do rings.
package enum Remind: String, CaseIterable, Sendable {
  /// Its alarms, and without any a due date with a time of day.
  case due
  /// Only its alarms.
  case alarms
}
