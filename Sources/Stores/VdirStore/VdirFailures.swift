import BelfryModel
import CivilTime
import FoundationEssentials
import Glibc

/// The errors of a folder of calendars.
struct VdirFailures {
  /// The folder, as the config names it.
  let path: String

  /// The error of a marker whose state is missing.
  func noState(_ marker: String, state: String) -> BelfryError {
    BelfryError(
      .storeFailed, "\(path) was used by Belfry before, but its state \(state) is not there",
      hint:
        "put the state back; or 'belfry store check --adopt' starts over: items get new numbers, and nothing past rings"
    )
  }

  /// The error of a state that belongs to another folder.
  func otherFolder(_ marker: String) -> BelfryError {
    BelfryError(
      .storeFailed, "\(marker) does not belong to this state: another folder is now at \(path)",
      hint: "put the former folder back; or give this one another \"state\" in the config")
  }

  /// The error of a copied folder.
  func copied(_ marker: String, from other: String) -> BelfryError {
    BelfryError(
      .storeFailed, "\(path) is a copy of \(other), whose state it would share",
      hint: "'belfry store check --adopt' makes it a store of its own")
  }

  /// The error of a folder that has been missing for too long, or of a change while it is missing.
  func gone(_ reason: String) -> BelfryError {
    BelfryError(
      .storeFailed, "\(path): \(reason)",
      hint: "put the folder back; 'belfry store check --adopt' continues with a folder that has lost its marker"
    )
  }

  /// The error of a file that cannot be written.
  func cannotWrite(_ file: String, _ code: Int32) -> BelfryError {
    let reason = String(cString: strerror(code))
    let isForbidden = code == EACCES || code == EPERM || code == EROFS
    return BelfryError(
      isForbidden ? .noPermission : .storeFailed, "\(file) cannot be written: \(reason)",
      hint: isForbidden
        ? "nothing was changed; check who owns the file and its folder"
        : "nothing was changed; check the disk, then try again")
  }

  /// The error of a folder that cannot be read.
  func cannotRead(_ file: String, _ code: Int32) -> BelfryError {
    BelfryError(
      code == EACCES ? .noPermission : .storeFailed, "\(file) cannot be read: \(String(cString: strerror(code)))",
      hint: "check who owns the folder, and that the disk is in order")
  }

  /// The error of a folder that cannot be made.
  func cannotMake(_ folder: String, _ code: Int32) -> BelfryError {
    BelfryError(
      .cannotCreate, "cannot make the folder \(folder): \(String(cString: strerror(code)))",
      hint: "check the path in the config, and that you may write there")
  }

  /// The error of a lock that others hold for too long.
  func locked() -> BelfryError {
    BelfryError(.tryAgain, "\(path) is locked by another program", hint: "nothing was changed; try again in a moment")
  }

  /// The error of a change that was lost, since another program changed the same file in the same moment.
  func overtaken(_ lost: [String]) -> BelfryError {
    BelfryError(
      .tryAgain, lost.joined(separator: "; "),
      hint: "everything else was changed; make this change again if you still want it")
  }

  /// The error of a list that is made, renamed or removed in a folder of Radicale.
  func ofRadicale(_ name: String) -> BelfryError {
    BelfryError(
      .badInput, "list \(inQuotes(name)): Radicale keeps the lists of \(path)",
      hint: "make, rename and remove lists in its web page or in a client; Belfry follows")
  }

  /// The error of a change of an event.
  func ofEvent(_ name: String) -> BelfryError {
    BelfryError(
      .badInput, "\(inQuotes(name)) is an event of a calendar, which Belfry rings and does not change",
      hint: "change it in a calendar program; a check or a snooze here ends or puts off its ringing")
  }

  /// The error of a list whose folder holds more than Belfry's files.
  func notEmpty(_ name: String, _ folder: String, _ file: String) -> BelfryError {
    BelfryError(
      .badInput, "list \(inQuotes(name)) cannot be removed: its folder \(folder) also holds \(file)",
      hint: "move that away first")
  }
}
