import Testing

@testable import VdirStore

@Suite("The decision when vanished files count as deleted")
struct VanishedFilesTests {
  private func vanished(_ times: [Int64], of open: Int, deleted: [Int64] = [], isOpen: Bool = true) -> VanishedFiles {
    let files = times.enumerated().map { VanishedFiles.File(path: "home/\($0).ics", since: $1, isOpen: isOpen) }
    return VanishedFiles(folder: "home", files: files, deleted: deleted, open: open, isFolderGone: false)
  }

  @Test("up to ten files, or a tenth, count as deleted a minute after the last of them")
  func few() {
    for (count, open) in [(1, 1), (10, 10), (11, 110), (500, 5_000)] {
      let files = vanished(.init(repeating: 0, count: count), of: open)
      #expect(files.newlyGuarded.isEmpty)
      #expect(files.deleted(at: 59).isEmpty)
      #expect(files.deleted(at: 60).count == count)
    }
  }

  @Test("more than ten, and more than a tenth, stay for a day")
  func many() {
    for (count, open) in [(11, 11), (11, 109), (501, 5_000), (5_000, 5_000)] {
      let files = vanished(.init(repeating: 0, count: count), of: open)
      #expect(files.newlyGuarded.count == count)
      #expect(files.deleted(at: 86_399).isEmpty)
      #expect(files.deleted(at: 86_400).count == count)
    }
  }

  @Test("they count together within ten minutes, and those outside do not stay", arguments: [600, 601])
  func together(span: Int64) {
    let files = vanished([-1_000] + .init(repeating: 0, count: 10) + [span], of: 50)
    #expect(files.newlyGuarded.count == (span == 600 ? 11 : 0))
    #expect(files.newlyGuarded.allSatisfy { $0.since >= 0 })
  }

  @Test("a file waits while others vanish, for ten minutes at most")
  func waiting() {
    let files = vanished(Array(stride(from: 0, through: 590, by: 59)), of: 1_000)
    #expect(files.newlyGuarded.isEmpty)
    #expect(files.deleted(at: 599).isEmpty)
    #expect(files.deleted(at: 600).map(\.since) == [0])
    #expect(files.deleted(at: 650).count == 11)
  }

  @Test("those that count as deleted already count with the others for ten minutes")
  func deletedBefore() {
    let before = [Int64](repeating: 0, count: 10)
    #expect(vanished([600], of: 40, deleted: before).newlyGuarded.count == 1)
    #expect(vanished([601], of: 40, deleted: before).newlyGuarded.isEmpty)
  }

  @Test("completed ones may go at any pace, and do not guard the others")
  func completed() {
    let files = vanished(.init(repeating: 0, count: 500), of: 2, isOpen: false)
    #expect(files.newlyGuarded.isEmpty)
    #expect(files.deleted(at: 59).isEmpty)
    #expect(files.deleted(at: 60).count == 500)
  }

  @Test("every pace down to one a minute guards all of them", arguments: [1, 2, 7, 30, 45, 60])
  func paces(interval: Int64) {
    var files: [VanishedFiles.File] = []
    var deleted: [Int64] = []
    for number in 0..<60 {
      let now = Int64(number) * interval
      files.append(.init(path: "home/\(number).ics", since: now, isOpen: true))
      let open = 100 - deleted.count
      let vanished = VanishedFiles(folder: "home", files: files, deleted: deleted, open: open, isFolderGone: false)
      let gone = Set(vanished.deleted(at: now).map(\.path))
      files = vanished.files.filter { !gone.contains($0.path) }
      deleted = deleted.filter { now - $0 <= VanishedFiles.window }
    }
    #expect(files.count == 60 && files.allSatisfy(\.isGuarded))
  }
}
