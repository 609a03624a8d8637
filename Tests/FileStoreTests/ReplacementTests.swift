import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import Testing

@Suite("A change replaces the file as a whole")
struct ReplacementTests {
  @Test(
    "the first change makes the file for its owner alone, and nothing else stays but the lock",
    arguments: Format.allCases)
  func first(format: Format) throws {
    let place = try Place(format)
    try place.open().write { _ = try $0.addSampleList() }
    #expect(try place.names() == [format.fileName, "\(format.fileName).write-lock"])
    #expect(try mode(of: place.file) == 0o600)
  }

  @Test(
    "the next state is a new file in the same folder, and .bak is always the state before", arguments: Format.allCases)
  func backup(format: Format) throws {
    let place = try Place(format)
    let store = place.open()
    var previous = Data()
    var node = UInt64(0)
    for number in 1...5 {
      try store.write { _ = try $0.addSampleList("List \(number)") }
      #expect(place.contents(place.file + ".bak") == previous)
      let newNode = try status(of: place.file).st_ino
      #expect(UInt64(newNode) != node)
      (previous, node) = (place.data, UInt64(newNode))
      #expect(try place.names().filter { $0.hasPrefix(".") } == [])
    }
    #expect(try store.info().backup == place.file + ".bak")
  }

  @Test("a change of nothing leaves the file and its copy as they are", arguments: Format.allCases)
  func nothing(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 2)
    let before = try status(of: place.file)
    try place.open().write { transaction in
      try transaction.setPlannedZone("UTC")
      try transaction.update(Check.present(transaction.item(id: 1)).item)
    }
    #expect(try status(of: place.file).st_ino == before.st_ino)
    #expect(try !place.names().contains("\(format.fileName).bak"))
  }

  @Test("mode and owner of the file are kept, and the lock has them as well", arguments: [mode_t(0o640), 0o664, 0o600])
  func modeAndOwner(mode: mode_t) throws {
    let place = try Place(.json)
    try place.fill(items: 1)
    #expect(chmod(place.file, mode) == 0)
    let isRoot = geteuid() == 0
    if isRoot { #expect(chown(place.file, 1_234, 2_345) == 0) }
    for name in ["a", "b"] { try place.open().write { _ = try $0.addSampleList(name) } }
    for path in [place.file, place.file + ".write-lock", place.file + ".bak"] {
      let status = try status(of: path)
      #expect(status.st_mode & 0o7777 == mode, "\(path)")
      if isRoot { #expect(status.st_uid == 1_234 && status.st_gid == 2_345, "\(path)") }
    }
  }

  @Test(
    "links are followed, relative ones, chains and those that lead nowhere yet, and stay links",
    arguments: ["store.json", "sub/store.json", "../real/store.json", "absolute", "chain"])
  func links(target: String) throws {
    let place = try Place(.json)
    for name in ["home", "home/sub", "real"] { #expect(mkdir(place.folder.file(name), 0o700) == 0) }
    let link = place.folder.file("home/link.json")
    let real: String
    switch target {
    case "absolute":
      real = place.folder.file("real/store.json")
      #expect(symlink(real, link) == 0)
    case "chain":
      real = place.folder.file("real/store.json")
      #expect(symlink("second.json", link) == 0)
      #expect(symlink("../real/third.json", place.folder.file("home/second.json")) == 0)
      #expect(symlink("./store.json", place.folder.file("real/third.json")) == 0)
    default:
      real = place.folder.file("home/\(target)")
      #expect(symlink(target, link) == 0)
    }
    #expect(try place.open(link).read { try $0.lists() } == [])
    for name in ["a", "b"] { try place.open(link).write { _ = try $0.addSampleList(name) } }
    #expect(try place.open(real).read { try $0.lists().map(\.name) } == ["a", "b"])
    #expect(try status(of: link, following: false).st_mode & S_IFMT == S_IFLNK)
    #expect(try status(of: real, following: false).st_mode & S_IFMT == S_IFREG)
    #expect(FileManager.default.fileExists(atPath: real + ".bak"))
    try Check.throwsError(.usage) { _ = try StoreCopy(from: place.open(link), to: place.open(real)) }
  }

  @Test("links that lead in a circle are refused")
  func circle() throws {
    let place = try Place(.json)
    #expect(symlink("b", place.folder.file("a")) == 0)
    #expect(symlink("a", place.folder.file("b")) == 0)
    try Check.throwsError(.storeFailed) { _ = try place.open(place.folder.file("a")).read { try $0.lists() } }
  }

  @Test(
    "what a killed writer left is removed by the next change, or when the daemon tidies up", arguments: [false, true])
  func litter(isTidied: Bool) throws {
    let place = try Place(.json)
    try place.fill(items: 2)
    let before = place.data
    let drafts = [".belfry.json.new", ".belfry.json.old"].map(place.folder.file)
    for draft in drafts { try Data("half a st".utf8).write(to: URL(fileURLWithPath: draft)) }
    #expect(try place.open().read { try $0.items().count } == 2)
    if isTidied {
      try place.open().tidy()
      #expect(place.data == before)
    } else {
      try place.open().write { _ = try $0.addSampleItem(to: 1) }
    }
    #expect(drafts.filter(FileManager.default.fileExists) == [])
  }

  @Test("a draft that is a link to somewhere else is not written through")
  func draftLink() throws {
    let place = try Place(.json)
    try place.fill(items: 1)
    let victim = place.folder.file("victim")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
    #expect(symlink(victim, place.folder.file(".belfry.json.new")) == 0)
    try place.open().write { _ = try $0.addSampleItem(to: 1) }
    #expect(place.contents(victim) == Data("precious".utf8))
    #expect(try place.open().read { try $0.items().count } == 2)
  }

  @Test("a folder in the file's place, a pipe and a folder that cannot be made are refused without waiting")
  func otherFiles() throws {
    let place = try Place(.json)
    #expect(mkdir(place.file, 0o700) == 0)
    let pipe = place.folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [place.file, pipe, "/dev/null"] {
      try Check.throwsError(.storeFailed) { _ = try place.open(path).read { try $0.lists() } }
      try Check.throwsError(.storeFailed) { try place.open(path).write { _ = try $0.addSampleList() } }
    }
    for path in [pipe + "/store.json", "/proc/belfry/store.json"] {
      try Check.throwsError(.cannotCreate) { try place.open(path).write { _ = try $0.addSampleList() } }
    }
  }

  @Test("a path in a folder that is not there is made for its owner alone")
  func newFolder() throws {
    let place = try Place(.json)
    let path = place.folder.file("a/b/store.json")
    try place.open(path).write { _ = try $0.addSampleList() }
    #expect(try mode(of: place.folder.file("a")) == 0o700)
    #expect(try mode(of: place.folder.file("a/b")) == 0o700)
  }

  @Test(
    "a text that the format cannot hold is refused by name, and nothing is changed", arguments: [Format.plist, .binary])
  func forbidden(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 3)
    let before = place.data
    for text in ["nul\u{0}", "bell\u{7}", "\u{FFFE}", "\u{1F}"] {
      let error = try #require(throws: BelfryError.self) {
        try place.open().write { transaction in
          var item = try Check.present(transaction.item(id: 2)).item
          item.text = text
          try transaction.update(item)
        }
      }
      #expect(error.kind == .badInput && error.message.contains("item 2") && error.message.contains("text"), "\(error)")
      #expect(place.data == before)
      #expect(try place.names() == [format.fileName, "\(format.fileName).write-lock"])
    }
    #expect(try place.open().read { try $0.item(id: 2)?.item.text } == "Item 2")
  }

  @Test("after a change that failed the same store reads and writes on")
  func afterFailure() throws {
    let place = try Place(.plist)
    let store = place.open()
    try store.write { _ = try $0.addSampleList() }
    #expect(throws: BelfryError.self) { try store.write { _ = try $0.addSampleItem("\u{0}", to: 1) } }
    #expect(try store.read { try $0.items() } == [])
    #expect(try store.write { try $0.addSampleItem(to: 1).id } == 1)
  }
}

func status(of path: String, following: Bool = true) throws -> stat {
  var status = stat()
  let code = following ? stat(path, &status) : lstat(path, &status)
  try #require(code == 0, "\(path): \(String(cString: strerror(errno)))")
  return status
}

private func mode(of path: String) throws -> mode_t { try status(of: path).st_mode & 0o7777 }
