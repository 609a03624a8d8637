import BelfryEngine
import BelfryModel
import CLinuxEvents
import FoundationEssentials
import Glibc

/// A watch over a store that other processes change.
///
/// Events come in bursts, so the store is looked at only a few times a second. A commit is written, then synced, and
/// only then visible, and not each of many is announced: so the looks are repeated for a while after an event.
package final class StoreWatch {
  /// The shortest time between two looks, in seconds. Together with the look, an open page learns of a change within a
  /// quarter of a second.
  private static let pause: Double = 0.1875
  /// The longest time after which a look is repeated, in seconds.
  private static let longestPause: Double = 1
  /// The time between two looks where events may be missed, in seconds.
  private static let pollPause: Double = 5

  private let source: any ChangeSource
  /// The files among the sources, some of whose folders may appear and vanish.
  private let files: FolderChanges?
  /// The longest time without a look, in seconds; infinite where no event is missed.
  private let patience: Double
  /// True from an event to the next look, which it makes due.
  private var isAnnounced = false
  /// The time from the next look to its repetition, in seconds; infinite for none.
  private var repetition = Double.infinity
  /// The time of the next look at the store; the distant future while nothing has changed.
  package private(set) var nextLook: Date
  private var lastLook = Date.distantPast

  /// Becomes readable when something changes; -1 while a look is due anyway, or that cannot be told.
  package var awaited: Int32 { isAnnounced ? -1 : source.descriptor }

  /// A watch over a file and the files beside it whose names begin with its name.
  ///
  /// - Parameter folders: further folders, with all their files; called again at each look.
  /// - Throws: ``BelfryError`` `.storeFailed` where the system gives no watch.
  package init(file: String, folders: @escaping @Sendable () -> [String] = { [] }) throws {
    let files = try FolderChanges(file, folders)
    (source, self.files, patience, nextLook) = (files, files, .infinity, .distantFuture)
  }

  /// A watch that hears of changes by others. It looks at once, and every few seconds.
  package init(source: any ChangeSource) {
    (self.source, files, patience, nextLook) = (source, nil, Self.pollPause, .distantPast)
  }

  /// Handles some of the changes since the last call; `awaited` stays readable while there are more.
  package func drain(at now: Date) {
    guard source.takeIn(), !isAnnounced else { return }
    (isAnnounced, repetition) = (true, Self.pause)
    // After the clock was set back, no look must wait for it.
    nextLook = lastLook > now ? now : max(now, lastLook + Self.pause)
  }

  /// True if a look at the store is due; the look then counts as done.
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

  // A folder that cannot be watched is looked at each minute.
  func watchFolders() {
    for folder in folders() { _ = belfry_folder_watch_add(descriptor, folder) }
  }
}
