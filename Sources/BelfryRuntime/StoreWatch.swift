import BelfryModel
import CLinuxEvents
import FoundationEssentials
import Glibc

/// A watch over the files of a store, which other processes write.
///
/// Events come in bursts, so the store is looked at only a few times a second. A commit is written, then synced, and
/// only then visible: so the looks are repeated for a while after an event.
package final class StoreWatch {
  /// The shortest time between two looks, in seconds. Together with the look, an open page learns of a change within a
  /// quarter of a second.
  private static let pause: Double = 0.1875
  /// The longest time after which a look is repeated, in seconds.
  private static let longestPause: Double = 1

  private let descriptor: Int32
  /// True from an event to the next look, which it makes due.
  private var isAnnounced = false
  /// The time from the next look to its repetition, in seconds; infinite for none.
  private var repetition = Double.infinity
  /// The time of the next look at the store; the distant future while no file has changed.
  package private(set) var nextLook = Date.distantFuture
  private var lastLook = Date.distantPast

  /// Becomes readable when a file in the store's folder is written or put in place; -1 while a look is due anyway.
  package var awaited: Int32 { isAnnounced ? -1 : descriptor }
  private let name: String
  /// Further folders, which may appear and vanish.
  private let folders: @Sendable () -> [String]

  /// A watch over a file and the files beside it whose names begin with its name.
  ///
  /// - Parameter folders: further folders, with all their files; called again at each look.
  /// - Throws: ``BelfryError`` `.storeFailed` where the system gives no watch.
  package init(file: String, folders: @escaping @Sendable () -> [String] = { [] }) throws {
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

  // A folder that cannot be watched is looked at each minute.
  private func watchFolders() {
    for folder in folders() { _ = belfry_folder_watch_add(descriptor, folder) }
  }

  deinit { close(descriptor) }

  /// Handles some of the changes since the last call; `awaited` stays readable while there are more.
  package func drain(at now: Date) {
    guard belfry_folder_watch_drain(descriptor, name) == 1, !isAnnounced else { return }
    (isAnnounced, repetition) = (true, Self.pause)
    // After the clock was set back, no look must wait for it.
    nextLook = lastLook > now ? now : max(now, lastLook + Self.pause)
  }

  /// True if a look at the store is due; the look then counts as done.
  package func isLookDue(at now: Date) -> Bool {
    guard now >= nextLook else { return false }
    (isAnnounced, lastLook) = (false, now)
    nextLook = repetition > Self.longestPause ? .distantFuture : now + repetition
    repetition *= 2
    watchFolders()
    return true
  }
}
