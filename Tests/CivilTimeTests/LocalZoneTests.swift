import CivilTime
import Foundation
import TestSupport
import Testing

/// The machine's zone, for simulated machines in a folder.
@Suite struct LocalZoneTests {
  /// The settings of a machine with the real zone files.
  private struct Machine {
    let root: String

    init(_ root: String) throws {
      self.root = root
      try FileManager.default.createDirectory(atPath: "\(root)/etc", withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: "\(root)/usr/share", withIntermediateDirectories: true)
      try link("/usr/share/zoneinfo", at: "usr/share/zoneinfo")
    }

    func link(_ target: String, at path: String) throws {
      try? FileManager.default.removeItem(atPath: "\(root)/\(path)")
      try FileManager.default.createSymbolicLink(atPath: "\(root)/\(path)", withDestinationPath: target)
    }

    func write(_ text: String, at path: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(root)/\(path)"))
    }

    func copy(_ zone: String, to path: String) throws {
      try? FileManager.default.removeItem(atPath: "\(root)/\(path)")
      try FileManager.default.copyItem(
        at: URL(fileURLWithPath: "/usr/share/zoneinfo/\(zone)").resolvingSymlinksInPath(),
        to: URL(fileURLWithPath: "\(root)/\(path)"))
    }

    func zone(_ environment: [String: String] = [:]) -> Zone {
      ZoneDatabase(environment: environment, root: root).localZone()
    }
  }

  private static func on(_ test: (Machine) throws -> Void) throws {
    try TimeTesting.withFolder { try test(try Machine($0)) }
  }

  @Test(
    "the variable TZ comes first",
    arguments: [
      ("Asia/Kathmandu", "Asia/Kathmandu", 20_700), (":Asia/Kathmandu", "Asia/Kathmandu", 20_700),
      ("asia/kathmandu", "Asia/Kathmandu", 20_700), ("", "UTC", 0), (":", "UTC", 0), ("UTC", "UTC", 0),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1CEST,M3.5.0,M10.5.0/3", 7_200), ("<+03>-3", "<+03>-3", 10_800),
      ("EST5EDT", "EST5EDT", -14_400), (":/usr/share/zoneinfo/Asia/Kathmandu", "Asia/Kathmandu", 20_700),
      ("/usr/share/zoneinfo/right/Asia/Kathmandu", "Asia/Kathmandu", 20_700),
    ])
  func variable(value: String, identifier: String, summerOffset: Int) throws {
    try Self.on { machine in
      try machine.link("/usr/share/zoneinfo/Europe/Zurich", at: "etc/localtime")
      let zone = machine.zone(["TZ": value])
      #expect(zone.identifier == identifier)
      #expect(zone.offset(at: try TimeTesting.instant("2026-07-15T12:00:00Z")) == summerOffset)
      let database = ZoneDatabase(environment: [:], root: machine.root)
      #expect(database.zone(recordedAs: identifier)?.hasSameRules(as: zone) == true)
    }
  }

  @Test("a zone file of one's own goes by its path")
  func ownFile() throws {
    try Self.on { machine in
      try machine.copy("Asia/Kathmandu", to: "etc/mine")
      let zone = machine.zone(["TZ": ":\(machine.root)/etc/mine"])
      #expect(zone.identifier == "\(machine.root)/etc/mine")
      #expect(zone.abbreviation(at: .distantFuture) == "+0545")
      #expect(ZoneDatabase(environment: [:]).zone(recordedAs: zone.identifier) == zone)
    }
  }

  @Test(
    "a TZ that cannot be used is passed over",
    arguments: ["Europe/Zurch", "/nowhere", ":/etc", "../Europe/Berlin", "CET-99", "\u{1b}[31m"])
  func badVariable(value: String) throws {
    try Self.on { machine in
      try machine.link("/usr/share/zoneinfo/Europe/Zurich", at: "etc/localtime")
      #expect(machine.zone(["TZ": value]).identifier == "Europe/Zurich")
      #expect(ZoneDatabase(environment: [:], root: machine.root).zone(recordedAs: value) == nil)
    }
  }

  @Test(
    "the link /etc/localtime names the zone, in all the ways it is written",
    arguments: [
      ("/usr/share/zoneinfo/Europe/Zurich", "Europe/Zurich"), ("../usr/share/zoneinfo/Europe/Zurich", "Europe/Zurich"),
      ("/usr/share/zoneinfo/posix/Asia/Kathmandu", "Asia/Kathmandu"), ("/etc/zoneinfo/US/Eastern", "US/Eastern"),
      ("/usr/share/zoneinfo/America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
      ("/usr/share/zoneinfo/Etc/UTC", "Etc/UTC"),
    ])
  func link(target: String, identifier: String) throws {
    try Self.on { machine in
      try machine.link(target, at: "etc/localtime")
      #expect(machine.zone().identifier == identifier)
    }
  }

  @Test("links are followed over several steps, and in circles not for ever")
  func chains() throws {
    try Self.on { machine in
      try machine.link("alternative", at: "etc/localtime")
      try machine.link("/etc/second", at: "etc/alternative")
      try machine.link("/usr/share/zoneinfo/Europe/Zurich", at: "etc/second")
      #expect(machine.zone().identifier == "Europe/Zurich")
      try machine.link("localtime", at: "etc/second")
      #expect(machine.zone() == .utc)
    }
  }

  @Test("a link into a folder of zones that is not searched still names the zone")
  func foreignFolder() throws {
    try Self.on { machine in
      try FileManager.default.createDirectory(
        atPath: "\(machine.root)/store/zoneinfo/Test", withIntermediateDirectories: true)
      try machine.copy("Asia/Kathmandu", to: "store/zoneinfo/Test/Place")
      try machine.link("/store/zoneinfo/Test/Place", at: "etc/localtime")
      #expect(machine.zone().identifier == "Test/Place")
      #expect(machine.zone().abbreviation(at: .distantFuture) == "+0545")
    }
  }

  @Test("a copied /etc/localtime has its name from /etc/timezone where both agree")
  func copied() throws {
    try Self.on { machine in
      try machine.copy("Europe/Zurich", to: "etc/localtime")
      #expect(machine.zone().identifier == "\(machine.root)/etc/localtime")
      #expect(machine.zone().abbreviation(at: .distantFuture) == "CET")
      try machine.write("Europe/Zurich\n", at: "etc/timezone")
      #expect(machine.zone().identifier == "Europe/Zurich")
      try machine.write("Asia/Kathmandu\n", at: "etc/timezone")
      #expect(machine.zone().abbreviation(at: .distantFuture) == "CET")
    }
  }

  @Test("without a usable /etc/localtime, /etc/timezone names the zone, else it is UTC")
  func timezoneFile() throws {
    try Self.on { machine in
      #expect(machine.zone() == .utc)
      try machine.write(" europe/zurich \n\n", at: "etc/timezone")
      #expect(machine.zone().identifier == "Europe/Zurich")
      try machine.link("/nowhere", at: "etc/localtime")
      #expect(machine.zone().identifier == "Europe/Zurich")
      try machine.write("no zone", at: "etc/timezone")
      #expect(machine.zone() == .utc)
      try machine.write("", at: "etc/timezone")
      #expect(machine.zone() == .utc)
      try machine.link("timezone", at: "etc/localtime")
      #expect(machine.zone() == .utc)
    }
  }

  @Test("a change of the machine's zone shows at the next question")
  func change() throws {
    try Self.on { machine in
      let database = ZoneDatabase(environment: [:], root: machine.root)
      for name in ["Europe/Zurich", "America/New_York", "Europe/Zurich"] {
        try machine.link("/usr/share/zoneinfo/\(name)", at: "etc/localtime")
        #expect(database.localZone().identifier == name)
        #expect(database.localZone().identifier == name)
      }
      try machine.copy("Asia/Kathmandu", to: "etc/localtime")
      #expect(database.localZone().abbreviation(at: .distantFuture) == "+0545")
      try machine.copy("Europe/Zurich", to: "etc/localtime")
      #expect(database.localZone().abbreviation(at: .distantFuture) == "CET")
    }
  }
}
