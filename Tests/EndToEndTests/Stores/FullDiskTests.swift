import Foundation
import Testing

@Suite("A full disk ends with 74, with nothing half done")
struct FullDiskTests {
  // A file system of its own, in a namespace that ends with the script.
  static func mounting(_ size: String, _ script: String) -> String {
    let user = geteuid() == 0 ? "" : "--user --map-root-user "
    let inner = "mount -t tmpfs -o size=\(size) belfry \"$DISK\" && cd \"$DISK\" && \(script)"
    return "export DISK=\"$HOME/disk\"; mkdir -p \"$DISK\"; unshare --mount \(user)/bin/bash -c '\(inner)'"
  }

  // The smallest disk holds nothing of a store; the others hold the log of its tables, but not the file as well.
  @Test("on a full disk no store is created, not even in part", arguments: ["64k", "200k", "250k", "300k"])
  func creation(size: String) async throws {
    let box = try Sandbox(config: "store: { type: sqlite, path: home/disk/store.sqlite }")
    let outcome = try await box.shell(
      Self.mounting(
        size, #""$BELFRY" add Milk; echo "status $?"; "$BELFRY" run --once; echo "status $?"; ls -A; echo end"#))
    #expect(outcome.output == "status 74\nstatus 74\nend\n", "\(outcome)")
    #expect(outcome.messages.contains("store.sqlite: the disk is full"), "\(outcome)")
    let larger = try await box.shell(
      Self.mounting(
        size,
        #""$BELFRY" add Milk; mount -o remount,size=1m . ; "$BELFRY" add Bread --json && "$BELFRY" show --json"#))
    #expect(larger.isDone, "\(larger)")
  }

  @Test("commands on a disk that fills up: each is done whole or refused, and works again when there is room")
  func fillingUp() async throws {
    let box = try Sandbox(config: "store: { type: sqlite, path: home/disk/store.sqlite }")
    let script = #"""
      for i in $(seq 1 40); do
        head -c 30000 /dev/zero | tr "\0" x | "$BELFRY" add - --json >"$HOME/out" 2>"$HOME/err"; s=$?
        if [ $s = 0 ]; then echo "kept $i" >>"$HOME/kept"; else echo "refused $s" >&2; cat "$HOME/err" >&2; break; fi
      done
      n=$(wc -l <"$HOME/kept")
      head -c 900000 /dev/zero >filler 2>/dev/null
      "$BELFRY" list create More >/dev/null 2>&1; "$BELFRY" add - < <(head -c 30000 /dev/zero | tr "\0" y); echo "full $?"
      "$BELFRY" check 1; echo "check $?"
      "$BELFRY" show --all --json | tr "," "\n" | grep -c "\"text\":\"x"; echo "kept $n"
      rm filler
      mount -o remount,size=4m .
      "$BELFRY" show --all --json | tr "," "\n" | grep -c "\"text\":\"x"
      "$BELFRY" add After --json >/dev/null; echo "after $?"
      "$BELFRY" lists --json
      python3 -c "import sqlite3; print(*sqlite3.connect(\"store.sqlite\").execute(\"PRAGMA integrity_check\").fetchone())"
      """#
    let outcome = try await box.shell(Self.mounting("900k", "{ " + script + "\n}"))
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(outcome.messages.contains("refused 74"), "\(outcome)")
    try #require(lines.count == 8, "\(outcome)")
    let kept = String(lines[3].dropFirst("kept ".count))
    #expect((Int(kept) ?? 0) > 2)
    #expect(lines[0] == "full 74", "\(outcome)")
    #expect(lines[1] == "check 74" || lines[1] == "check 0", "\(outcome)")
    #expect(lines[2] == kept && lines[4] == kept, "\(outcome)")
    #expect(lines[5] == "after 0", "\(outcome)")
    #expect(try JSON(lines[6]).elements?.first?["items"]?.integer == (Int64(kept) ?? 0) + 1)
    #expect(lines[7] == "ok", "\(outcome)")
  }

  @Test(
    "a folder of calendars whose state is on a full disk is shown as it was, and what changed in it is not taken up")
  func stateOfFolder() async throws {
    let box = try Sandbox(config: "store: { type: vdir, path: home/calendars, state: home/disk/state }")
    let script = #"""
      mkdir -p "$HOME/calendars/Home"; "$BELFRY" add Milk -l Home --json >/dev/null
      head -c 900000 /dev/zero >filler 2>/dev/null
      cp "$HOME"/calendars/Home/*.ics "$HOME/new"; sed -e "s/^UID:.*/UID:other/; s/Milk/Bread/" "$HOME/new" >"$HOME/calendars/Home/other.ics"
      "$BELFRY" show; echo "status $?"
      "$BELFRY" add Eggs -l Home; echo "status $?"
      rm -f filler; "$BELFRY" show
      """#
    let outcome = try await box.shell(Self.mounting("900k", "{ " + script + "\n}"))
    let parts = outcome.output.components(separatedBy: "status ")
    try #require(parts.count == 3, "\(outcome)")
    #expect(parts[0].contains("Milk") && !parts[0].contains("Bread"), "\(outcome)")
    #expect(parts[1] == "0\n", "\(outcome)")
    #expect(parts[2].hasPrefix("74\n") && parts[2].contains("Milk") && parts[2].contains("Bread"), "\(outcome)")
    #expect(!parts[2].contains("Eggs") && outcome.messages.contains("since is not shown"), "\(outcome)")
  }

  @Test("a limit on the size of files is met like a full disk, by every command that changes something")
  func fileSize() async throws {
    let box = try Sandbox()
    for number in 1...5 { try await box.json("add", "Item \(number)", "--due", "2096-12-24 09:00") }
    let before = try await box.json("show", "--all")
    let pending = try await box.json("pending")
    // The log may not grow by a page. SIGXFSZ is ignored, so that writing fails with EFBIG.
    let size = (try FileManager.default.attributesOfItem(atPath: box.store + "-wal")[.size] as? Int ?? 0) / 1_024
    for command in ["add More --due 18:30", "check 1", "edit 2 --text Other", "delete 3", "list create Work"] {
      let outcome = try await box.shell("trap '' XFSZ; ulimit -f \(max(1, size)); \"$BELFRY\" \(command)")
      #expect(outcome.status == 74, "\(command): \(outcome)")
      #expect(outcome.messages.contains("store.sqlite"), "\(outcome)")
      #expect(try await box.json("show", "--all") == before, "\(command)")
      #expect(try await box.json("pending") == pending, "\(command)")
    }
    #expect(try await box.json("add", "After")["id"] == .integer(6))
    #expect(try await integrity(of: box) == "ok")
  }

  @Test("the daemon survives a full disk and rings when there is room again")
  func daemon() async throws {
    let box = try Sandbox()
    for number in 1...3 { try await box.json("add", "Item \(number)", "--due", "09:00", at: "2026-11-21 08:00:00") }
    let size = (try FileManager.default.attributesOfItem(atPath: box.store + "-wal")[.size] as? Int ?? 0) / 1_024
    let failed = try await box.shell(
      "trap '' XFSZ; ulimit -f \(max(1, size)); \"$BELFRY\" run --once", options: .at("2026-11-21 09:00:20"))
    #expect(failed.status == 74, "\(failed)")
    #expect(failed.output.isEmpty, "nothing may be sent that is not written down first: \(failed)")
    let bodies = try await box.runOnce(at: "2026-11-21 09:01:20")
    #expect(Set(bodies.compactMap { $0["data"]?["alert"]?["body"]?.text }) == ["Item 1", "Item 2", "Item 3"])
  }
}
