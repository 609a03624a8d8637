import BelfryModel
import FoundationEssentials
import Glibc

/// The folders at a moment at which no file differed from the mirror.
///
/// As long as they are the same, no file was added, removed or replaced. Only a file that was written in place may differ,
/// so a look at all files counts for its minute alone.
struct FolderLook: Equatable {
  private let minute: Int64
  private var marks: [String: FileMark] = [:]

  /// The folders as they are; `nil` if one cannot be read, or was changed so shortly before that a second change might
  /// not show.
  init?(root: String, at now: Date) {
    minute = Int64(now.timeIntervalSince1970) / 60
    let names = FolderListing.entries(of: root).filter { $0.first != "." }
    for path in [root] + names.map({ "\(root)/\($0)" }) {
      var status = stat()
      guard stat(path, &status) == 0, case let mark = FileMark(status),
        mark.changedAt < Int64(now.timeIntervalSince1970 * 1e9) - Mirror.File.doubt
      else { return nil }
      marks[path] = mark
    }
  }
}
