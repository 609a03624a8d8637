import Foundation
import TestSupport
import Testing

/// Changes of other programs in the files of a store, seen from outside.
@Suite("Changes of other programs in a store's files")
struct ForeignEditsTests {
  /// A store whose files other programs change.
  enum Kind: CaseIterable {
    case json
    case plist
    case vdir

    var config: String {
      switch self {
      case .json: "store: { type: json, path: store }\n"
      case .plist: "store: { type: plist, path: store }\n"
      case .vdir: "store: { type: vdir, path: store }\n"
      }
    }

    /// Moves the only item from 9 to 11 o'clock.
    func move(in box: Sandbox) throws {
      let name = self == .vdir ? try #require(box.files(in: "store/inbox").first { $0.hasSuffix(".ics") }) : ""
      let path = self == .vdir ? "store/inbox/\(name)" : "store"
      let text = box.text(path)
      let moved = text.replacing("2096-12-24T09:00", with: "2096-12-24T11:00")
        .replacing("20961224T090000", with: "20961224T110000")
      try #require(moved != text, "\(text)")
      try box.write(moved, to: path)
    }
  }

  private static let start = "2096-12-24 08:00:02"

  private func box(_ kind: Kind) async throws -> Sandbox {
    let box = try Sandbox(config: kind.config + "sinks: { out: { type: stdout, format: json } }\n")
    try await box.belfry("add", "Milk", "--due", "2096-12-24 09:00", options: .at(Self.start)).requireDone()
    return box
  }

  private func fireDates(_ box: Sandbox) async throws -> [String?] {
    [
      try await box.json("pending", at: Self.start).elements?.first?["fire_date"]?.text,
      try await box.json("lists", at: Self.start).elements?.first?["next_fire_date"]?.text,
      try await box.json("show", at: Self.start).elements?.first?["next_fire_date"]?.text,
      try await box.json("plan", at: Self.start).elements?.first?["fire_date"]?.text,
    ]
  }

  @Test("every command shows the new time at once, without a daemon, whichever comes first", arguments: Kind.allCases)
  func commands(kind: Kind) async throws {
    for first in ["pending", "lists", "show", "plan"] {
      let box = try await box(kind)
      try kind.move(in: box)
      let shown = try await box.json(first, at: Self.start).elements?.first
      let time = shown?["next_fire_date"]?.text ?? shown?["fire_date"]?.text
      #expect(time?.hasPrefix("2096-12-24T11:00") == true, "\(first): \(time ?? "")")
      #expect(try await fireDates(box).allSatisfy { $0?.hasPrefix("2096-12-24T11:00") == true })
      let explained = try await box.belfry("explain", "1", options: .at(Self.start))
      #expect(explained.output.contains("11:00") && !explained.output.contains("It will ring Mon 24 Dec 2096 09:00"))
    }
  }

  // A vdir store goes by the time at which the file system changed the file, which no program can set.
  @Test("a reminder of an edit that came up before the daemon started rings late", arguments: [Kind.json, .plist])
  func late(kind: Kind) async throws {
    let box = try await box(kind)
    try kind.move(in: box)
    // The shifted clock shifts the times of files, too: ten minutes before the daemon starts.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -600)], ofItemAtPath: box.path("store"))
    let rung = try await box.runOnce(at: "2096-12-24 11:05:00")
    #expect(rung.map { $0["data"]?["item"]?["text"]?.text } == ["Milk"])
  }

  @Test("the daemon plans them at once, and says so", arguments: Kind.allCases)
  func daemon(kind: Kind) async throws {
    let box = try await box(kind)
    let daemon = try await box.daemon(at: Self.start)
    try kind.move(in: box)
    try await daemon.waitForLog("edited by another program: 1 item or list rescheduled")
    // Without notice it waits for the next minute of its clock.
    let line = try #require(daemon.log.split(separator: "\n").last { $0.contains("edited by another program") })
    #expect(!daemon.log.contains("08:01:"), "\(line)")
    #expect(await daemon.stop().end == .exited(0))
    #expect(try await fireDates(box).allSatisfy { $0?.hasPrefix("2096-12-24T11:00") == true })
  }

  @Test("a command that another program overtakes in the same file fails, and the store says what was kept")
  func overtaken() async throws {
    let box = try await box(.vdir)
    let name = try #require(box.files(in: "store/inbox").first { $0.hasSuffix(".ics") })
    let foreign = box.text("store/inbox/\(name)").replacing("SUMMARY:Milk", with: "SUMMARY:Foreign")
    // The exchange of the files waits.
    let prefix = [
      "/usr/bin/strace", "-f", "-o", "trace", "-e", "trace=renameat2", "-e", "inject=renameat2:delay_enter=3000000",
    ]
    async let command = box.belfry("edit", "1", "--text", "Mine", options: RunOptions(prefix: prefix))
    try await waitUntil("the new file is there") { box.files(in: "store/inbox").contains { $0.hasSuffix(".tmp") } }
    try await Task.sleep(for: .seconds(1))
    try box.write(foreign, to: "store/inbox/\(name)")
    let outcome = try await command
    #expect(outcome.status == 75 && outcome.output.isEmpty, "\(outcome)")
    let kept = "inbox/\(name) was changed by another program in the same moment: its text 'Foreign' was kept"
    #expect(outcome.messages.contains(kept), "\(outcome)")
    #expect(box.text("store/inbox/\(name)") == foreign)
    for command in ["show", "doctor"] {
      let told = try await box.belfry(command)
      #expect((told.output + told.messages).contains(kept), "\(told)")
    }
    // The store is in order.
    try await box.belfry("store", "check").requireDone()
  }
}
