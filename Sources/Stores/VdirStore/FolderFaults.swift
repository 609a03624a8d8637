import BelfryModel

/// The files of a folder that vanished together, the changes of Belfry that were lost to another program's, and the
/// files that cannot be used, for people.
enum FolderFaults {
  /// The faults, one sentence each.
  ///
  /// - Parameter now: the time in seconds since 1970.
  static func sentences(_ listing: FolderListing, _ mirror: Mirror, root: String, now: Int64) throws -> [String] {
    var sentences: [String] = []
    let gone = Set(try mirror.lists().filter { $0.goneSince != nil }.map(\.folder))
    for (folder, count) in try mirror.guarded().sorted(by: { $0.key < $1.key }) {
      let files = counted(count, "to-do")
      sentences.append(
        gone.contains(folder)
          ? "\(root)/\(folder) is gone, and with it the files of \(files): \(Self.outlook)"
          : "\(root)/\(folder): the files of \(files) vanished within minutes: \(Self.outlook)")
    }
    // Vanished to-dos count as deleted after a day, so they come before the faults of single files.
    sentences += try mirror.lost(now: now) + listing.faults + mirror.faults(root: root)
    return sentences.map { $0.replacing("\n", with: " ") }
  }

  private static let outlook =
    "they ring for one more day, then count as deleted; 'belfry store check --accept-deletions' deletes them now"
}
