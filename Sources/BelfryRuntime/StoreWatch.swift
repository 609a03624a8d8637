import BelfryEngine
import BelfryModel
import CLinuxEvents
import FoundationEssentials
import Glibc

/// A watch over a store that other processes change.
///
/// Events arrive in bursts, so the store is checked only a few times a second. A commit is written, synced, and only
/// then visible, and not every commit is announced, so the check is repeated for a while after an event.
package final class StoreWatch {
  /// The shortest time between two checks, in seconds. With the check itself, an open page shows a change within a
  /// quarter of a second.
  private static let pause: Double = 0.1875
  /// The longest time after which a check is repeated, in seconds.
  private static let longestPause: Double = 1
  /// The time between two checks if events may be missed, in seconds.
  private static let pollPause: Double = 5

  private let source: any ChangeSource
  /// The files among the sources, some of whose folders may appear and vanish.
  private let files: FolderChanges?
  /// The longest time without a check, in seconds; infinite if no event is missed.
  private let patience: Double
  /// True from an event to the next check, which the event makes due.
  private var isAnnounced = false
  /// The time from the next check to its repetition, in seconds; infinite for none.
  private var repetition = Double.infinity
  /// The time of the next check of the store; the distant future while nothing has changed.
  package private(set) var nextLook: Date
  private var lastLook = Date.distantPast

  /// Becomes readable when something changes; -1 while a check is due anyway, or while changes cannot be detected.
  package var awaited: Int32 { isAnnounced ? -1 : source.descriptor }

  /// A watch over a file and the files in its folder whose names begin with its name.
  ///
  /// - Parameter folders: further folders, with all their files; called again at each check.
  /// - Throws: ``BelfryError`` `.storeFailed` if the system provides no watch.
  package init(file: String, folders: @escaping @Sendable () -> [String] = { [] }) throws {
    let files = try FolderChanges(file, folders)
    (source, self.files, patience, nextLook) = (files, files, .infinity, .distantFuture)
  }

  /// A watch on a source of changes by others. It checks at once, and every few seconds.
  package init(source: any ChangeSource) {
    (self.source, files, patience, nextLook) = (source, nil, Self.pollPause, .distantPast)
  }

  /// Handles the changes since the last call.
  package func drain(at now: Date) {
    guard source.takeIn(), !isAnnounced else { return }
    (isAnnounced, repetition) = (true, Self.pause)
    // After the clock was set back, no check must wait for it.
    nextLook = lastLook > now ? now : max(now, lastLook + Self.pause)
  }

  /// True if a check of the store is due; the check then counts as done.
  package func isLookDue(at now: Date) -> Bool {
    guard now >= nextLook || patience.isFinite && nextLook > now + patience else { return false }
    (isAnnounced, lastLook) = (false, now)
    let pause = repetition > Self.longestPause ? patience : repetition
    nextLook = pause.isFinite ? now + pause : .distantFuture
    repetition *= 2
    files?.watchFolders()
    return true
  }
}

/// The changes of files in the folder of a store and in others.
private final class FolderChanges: ChangeSource {
  let descriptor: Int32
  private let name: String
  /// Further folders, which may appear and vanish.
  private let folders: @Sendable () -> [String]

  init(_ file: String, _ folders: @escaping @Sendable () -> [String]) throws {
    self.folders = folders
    let url = URL(fileURLWithPath: file)
    name = url.lastPathComponent
    let folder = url.deletingLastPathComponent().path
    descriptor = belfry_folder_watch_create(folder)
    guard descriptor >= 0 else {
      throw BelfryError(.storeFailed, "\(folder) cannot be watched: \(String(cString: strerror(errno)))")
    }
    watchFolders()
  }

  deinit { close(descriptor) }

  func takeIn() -> Bool { belfry_folder_watch_drain(descriptor, name) == 1 }

  // A folder that cannot be watched is checked each minute.
  func watchFolders() {
    for folder in folders() { _ = belfry_folder_watch_add(descriptor, folder) }
  }
}
