import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc
import WebAccess

/// The state of the feed. Pages are sent the difference from the state that they know.
struct FeedState: Equatable, Sendable {
  /// The number of the store's last change.
  var number: Int64 = 0
  /// The number of times that the numbering restarted, since another store took the place of this one.
  var era = 0
  /// The number of heartbeats.
  var beats = 0
  /// The accesses in force.
  var holders: Set<Holder> = []
  /// A digest of the content that visitors of some lists see, by those lists.
  var views: [Set<UUID>: ContentDigest] = [:]

  /// The number of the last change for visitors who see some lists, which changes of other lists do not affect.
  func number(for lists: Set<UUID>?) -> Int64 {
    guard let lists else { return number }
    return views[lists].map(\.number) ?? 0
  }

  /// True if an access has not ended.
  func holds(_ access: Access, at now: Date) -> Bool {
    access.kind == .proxy || holders.contains(Holder(access)) && access.expiresAt.map { now < $0 } ?? true
  }
}

/// Reads the state of the store, and the accesses in force.
struct FeedLook {
  private let belfry: Belfry
  private let access: AccessStore
  /// True once the state has been read.
  private var hasLooked = false
  /// The file of a store without numbers, as it was last seen.
  private var file: FileMark?

  init(belfry: Belfry, access: AccessStore) {
    self.belfry = belfry
    self.access = access
  }

  /// Brings a state up to date.
  ///
  /// - Parameter lists: the sets of lists to which visitors are limited.
  mutating func update(_ state: inout FeedState, lists: Set<Set<UUID>>, at now: Date) throws {
    state.holders = Set(try access.list(at: now).map(Holder.init))
    let file = belfry.store.watchedFile.flatMap(FileMark.init)
    let isSame = hasLooked && file == self.file && file != nil
    let known = (number: state.number, views: state.views)
    let hasLooked = hasLooked
    try belfry.read { reading in
      // Milliseconds, if the store has no numbers: they also increase from one run of the program to the next.
      let first = hasLooked ? known.number : Int64(now.timeIntervalSince1970 * 1_000)
      state.number = try reading.view.changeNumber() ?? (isSame || !hasLooked ? first : first + 1)
      let isChanged = state.number != known.number
      state.views = try Dictionary(
        uniqueKeysWithValues: lists.map { lists in
          (lists, try (isChanged ? nil : known.views[lists]) ?? reading.digest(of: lists))
        })
    }
    if hasLooked, state.number < known.number { state.era += 1 }
    (self.hasLooked, self.file) = (true, file)
  }
}

/// The metadata by which two versions of a file differ.
private struct FileMark: Equatable {
  private let inode: UInt64
  private let seconds: Int
  private let nanoseconds: Int
  private let size: Int

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (inode, size) = (UInt64(status.st_ino), Int(status.st_size))
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}

extension Reading {
  /// A digest of some lists with their items, as the API shows them.
  fileprivate func digest(of lists: Set<UUID>) throws -> ContentDigest {
    var digest = ContentDigest(of: [])
    for summary in try view.listSummaries(now: now) where lists.contains(summary.list.uuid) {
      var texts = [json(summary).serialized()]
      try view.forEachItem(ItemQuery(listID: summary.list.id, kind: .any, checked: .any, order: .place)) { listing in
        texts.append(json(listing).serialized())
      }
      for text in texts { digest = ContentDigest(of: Array((digest.text + text).utf8)) }
    }
    return digest
  }
}
