import CivilTime
import Foundation
import TestSupport
import Testing

@Suite struct ZoneDatabaseTests {
  private static func copy(_ name: String, to path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(name)")).write(to: URL(fileURLWithPath: path))
  }

  @Test(
    "names are matched without regard to case and given back in their right spelling",
    arguments: [
      ("Europe/Zurich", "Europe/Zurich"), ("europe/zurich", "Europe/Zurich"), ("EUROPE/ZURICH", "Europe/Zurich"),
      ("america/argentina/buenos_aires", "America/Argentina/Buenos_Aires"), ("utc", "UTC"), ("Etc/utc", "Etc/UTC"),
      ("etc/gmt+5", "Etc/GMT+5"), ("us/eastern", "US/Eastern"), ("America/Port-au-Prince", "America/Port-au-Prince"),
    ])
  func spelling(name: String, expected: String) throws {
    #expect(try TimeTesting.database.zone(name).identifier == expected)
  }

  @Test(
    "what is no zone's name is refused",
    arguments: [
      "", ".", "..", "../zoneinfo/Europe/Zurich", "Europe/../Europe/Zurich", "/usr/share/zoneinfo/Europe/Zurich",
      "Europe//Zurich", "Europe/Zurich/", "Europe", "posix/Europe/Zurich", "Posix/Europe/Zurich", "right/Europe/Zurich",
      "localtime", "posixrules", "zone.tab", "tzdata.zi", "leapseconds", "Europe/Zurich\u{0}", "Europe/Zürich",
      "CET-1CEST,M3.5.0,M10.5.0/3", "UTC+3", "floating", String(repeating: "A/", count: 1 << 19),
    ])
  func refused(name: String) {
    let error = #expect(throws: UnknownZone.self) { try TimeTesting.database.zone(name) }
    #expect(error?.identifier == name)
    #expect((error?.description.utf8.count ?? 0) < 400)
  }

  @Test(
    "a misspelt name is answered with the nearest ones",
    arguments: [
      ("Europe/Zurch", "Europe/Zurich"), ("Zurich", "Europe/Zurich"), ("europe/zuerich", "Europe/Zurich"),
      ("New York", "America/New_York"), ("Kathmandu", "Asia/Kathmandu"), ("America/NewYork", "America/New_York"),
      ("Europe/Berlni", "Europe/Berlin"), ("Asia/Tokio", "Asia/Tokyo"),
    ])
  func nearest(name: String, expected: String) {
    let error = #expect(throws: UnknownZone.self) { try TimeTesting.database.zone(name) }
    #expect(error?.nearest.first == expected)
    #expect((error?.nearest.count ?? 0) <= 3)
    #expect(error?.description.contains("did you mean \(expected)") == true)
  }

  @Test("nonsense has no suggestions, and at most the requested number of names is returned")
  func nearestLimits() {
    #expect(TimeTesting.database.nearestNames(to: "Xqzzzzzzzzzzzwv") == [])
    #expect(TimeTesting.database.nearestNames(to: "") == [])
    #expect(TimeTesting.database.nearestNames(to: String(repeating: "a", count: 1 << 20)) == [])
    #expect(TimeTesting.database.nearestNames(to: "Berlin", limit: 1) == ["Europe/Berlin"])
    #expect(TimeTesting.database.nearestNames(to: "Berlin", limit: 0) == [])
  }

  @Test("UTC needs no files, other zones do")
  func withoutFiles() throws {
    try TimeTesting.withFolder { root in
      let database = ZoneDatabase(environment: [:], root: root)
      let utc = try database.zone("UTC")
      #expect(utc == .utc)
      #expect(database.localZone() == .utc)
      let error = #expect(throws: UnknownZone.self) { try database.zone("Europe/Zurich") }
      #expect(
        error?.description == "'Europe/Zurich' is not a known time zone: write an IANA name such as Europe/Zurich")
    }
  }

  @Test("the folders are looked through in order, TZDIR first", arguments: ["usr/share", "usr/lib", "usr/share/lib"])
  func folders(parent: String) throws {
    try TimeTesting.withFolder { root in
      try Self.copy("Europe/Zurich", to: "\(root)/\(parent)/zoneinfo/Test/Place")
      #expect(try ZoneDatabase(environment: [:], root: root).zone("test/place").offset(at: .distantFuture) == 3_600)
      try Self.copy("Asia/Kathmandu", to: "\(root)/mine/Test/Place")
      let database = ZoneDatabase(environment: ["TZDIR": "\(root)/mine"], root: "\(root)/")
      #expect(try database.zone("Test/Place").offset(at: .distantFuture) == 20_700)
    }
  }

  @Test("a zone file that is replaced is read anew, zones already given stay as they were")
  func update() throws {
    try TimeTesting.withFolder { root in
      let path = "\(root)/usr/share/zoneinfo/Test/Place"
      try Self.copy("Europe/Zurich", to: path)
      let database = ZoneDatabase(environment: [:], root: root)
      let before = try database.zone("Test/Place")
      #expect(try database.zone("Test/Place").hasSameRules(as: before))
      try FileManager.default.removeItem(atPath: path)
      #expect(throws: UnknownZone.self) { try database.zone("Test/Place") }
      try Self.copy("Asia/Kathmandu", to: path)
      let after = try database.zone("Test/Place")
      #expect(before == after && !before.hasSameRules(as: after))
      #expect(before.offset(at: .distantFuture) == 3_600)
      #expect(after.offset(at: .distantFuture) == 20_700)
    }
  }

  @Test("a damaged zone file is an unknown zone that names the file and what is wrong")
  func damaged() throws {
    try TimeTesting.withFolder { root in
      let path = "\(root)/usr/share/zoneinfo/Test"
      let whole = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Zurich"))
      try Self.copy("Europe/Zurich", to: "\(path)/Whole")
      for (contents, reason) in [
        (whole.prefix(1_000), "the zone file ends too early"), (Data(), "the zone file ends too early"),
        (Data("some text".utf8), "it is not a zone file"), (Data(repeating: 0, count: 4_000), "it is not a zone file"),
      ] {
        try contents.write(to: URL(fileURLWithPath: "\(path)/Damaged"), options: .atomic)
        let database = ZoneDatabase(environment: [:], root: root)
        let error = #expect(throws: UnknownZone.self) { try database.zone("Test/Damaged") }
        #expect(error?.reason == "\(path)/Damaged: \(reason)")
        #expect(error?.description.hasPrefix("the time zone 'Test/Damaged' cannot be read: ") == true)
        #expect(throws: Never.self) { try database.zone("Test/Whole") }
      }
    }
  }

  @Test("a folder, a pipe and a link to nowhere in a zone file's place are no zones")
  func notFiles() throws {
    try TimeTesting.withFolder { root in
      let path = "\(root)/usr/share/zoneinfo/Test"
      try FileManager.default.createDirectory(atPath: "\(path)/Folder", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: "\(path)/Link", withDestinationPath: "nowhere")
      try #require(mkfifo("\(path)/Pipe", 0o600) == 0)
      let database = ZoneDatabase(environment: [:], root: root)
      for name in ["Folder", "Link", "Pipe"] {
        #expect(throws: UnknownZone.self) { try database.zone("Test/\(name)") }
      }
    }
  }

  @Test("threads may ask at the same time")
  func concurrent() async throws {
    let database = ZoneDatabase(environment: [:])
    let offsets = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<200 {
        group.addTask {
          let zone = try database.zone(["Europe/Zurich", "asia/kathmandu", "America/New_York", "UTC"][index % 4])
          return zone.offset(at: Date(timeIntervalSince1970: 0))
        }
      }
      return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(offsets == [3_600: 50, 19_800: 50, -18_000: 50, 0: 50])
  }
}
