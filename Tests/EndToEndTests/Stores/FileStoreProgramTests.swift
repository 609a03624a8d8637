import BelfryTestKit
import Foundation
import Testing

@Suite("Programs on JSON and property-list stores")
struct FileStoreProgramTests {
  private static let stores = [DiskStore.json, .plist]

  @Test("8 writers with 50 adds each: none is lost, every number is given once", arguments: stores)
  func writers(store: DiskStore) async throws {
    let adds = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1" ? 500 : 50
    let box = try Sandbox(config: store.config)
    // On a slow machine, eight writers of a large file may exceed the lock timeout of one command.
    let script = """
      for w in 1 2 3 4 5 6 7 8; do
        ( for n in $(seq \(adds)); do
            s=75
            while [ $s = 75 ]; do "$BELFRY" add "Item $w.$n" --due "2096-12-24 09:00" >/dev/null 2>>"$HOME/err"; s=$?; done
            [ $s = 0 ] || echo "$w.$n $s" >>"$HOME/failed"
          done ) &
      done
      wait
      """
    let outcome = try await box.shell(script, options: RunOptions(deadline: 3_600))
    #expect(outcome.isDone, "\(outcome)")
    #expect(box.text("home/failed") == "", "\(box.text("home/err"))")
    let items = try #require(try await box.json("show", "--all").elements)
    #expect(items.count == 8 * adds)
    #expect(Set(items.compactMap { $0["text"]?.text }).count == 8 * adds)
    #expect(items.compactMap { $0["id"]?.integer }.sorted() == Array(1...Int64(8 * adds)))
    #expect(Set(items.compactMap { $0["uuid"]?.text }).count == 8 * adds)
    #expect(try await box.belfry("store", "check").isDone)
    #expect(box.files().filter { $0.hasPrefix(".") } == [])
  }

  @Test("a disk that fills up: each add is done whole or refused with 74, and works again with room", arguments: stores)
  func fullDisk(store: DiskStore) async throws {
    let box = try Sandbox(config: "store: { type: \(store), path: home/disk/\(store.path) }")
    let script = #"""
      for i in $(seq 1 40); do
        head -c 3000 /dev/zero | tr "\0" x | "$BELFRY" add - --json >"$HOME/out" 2>"$HOME/err"; s=$?
        if [ $s = 0 ]; then echo "kept $i" >>"$HOME/kept"; else echo "refused $s" >&2; cat "$HOME/err" >&2; break; fi
      done
      sum=$(md5sum <STORE); "$BELFRY" check 1; echo "check $?"
      [ "$sum" = "$(md5sum <STORE)" ] && echo same || echo other
      ls -A | tr "\n" " "; echo
      "$BELFRY" show --all --json | tr "," "\n" | grep -c "\"text\":\"x"
      mount -o remount,size=4m .
      "$BELFRY" add After --json >/dev/null; echo "after $?"
      "$BELFRY" store check 2>/dev/null; echo "in order $?"
      """#.replacingOccurrences(of: "STORE", with: store.path)
    let outcome = try await box.shell(FullDiskTests.mounting("64k", "{ " + script + "\n}"))
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(outcome.messages.contains("refused 74") && outcome.messages.contains("disk is full"), "\(outcome)")
    try #require(lines.count == 6, "\(outcome)")
    let kept = box.lines("home/kept").count
    #expect(kept >= 3)
    #expect(lines[0] == "check 74" || lines[0] == "check 0", "\(outcome)")
    #expect(lines[1] == (lines[0] == "check 74" ? "same" : "other"))
    #expect(!lines[2].contains(".new") && !lines[2].contains(".old"), "\(outcome)")
    #expect(lines[3] == "\(kept)")
    #expect(lines[4] == "after 0" && lines[5] == "in order 0", "\(outcome)")
  }

  @Test("a disk without room for a store: none is left behind", arguments: stores)
  func noRoom(store: DiskStore) async throws {
    let box = try Sandbox(config: "store: { type: \(store), path: home/disk/\(store.path) }")
    let outcome = try await box.shell(
      FullDiskTests.mounting(
        "64k",
        #"head -c 70000 /dev/zero >filler 2>/dev/null; "$BELFRY" add Milk; echo "status $?"; ls -A | grep -c new; rm filler; "$BELFRY" add Milk >/dev/null; echo "status $?""#
      ))
    #expect(outcome.output == "status 74\n0\nstatus 0\n", "\(outcome)")
  }

  @Test("a file or folder that may not be written: 77, and nothing is changed", arguments: stores, ["file", "folder"])
  func permission(store: DiskStore, what: String) async throws {
    let box = try Sandbox(config: "store: { type: \(store), path: data/\(store.path) }")
    try await box.json("add", "One")
    try await box.json("add", "Two")
    let path = "data/\(store.path)"
    let before = (box.data(path), box.data(path + ".bak"), box.files(in: "data"))
    let change = what == "file" ? "chmod 444 data/\(store.path)" : "chmod 555 data"
    let others = geteuid() == 0 ? "chmod 755 . data; chown -R 65534:65534 . ; " : ""
    try await box.shell("\(others)\(change)").requireDone()
    var options = RunOptions()
    if geteuid() == 0 { options.prefix = [Programs.setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"] }
    for command in ["add Three", "check 1", "list create New"] {
      let words = [try Programs.belfry] + command.split(separator: " ").map(String.init)
      let outcome = try await box.run(words, options)
      #expect(outcome.status == 77 && outcome.messages.contains(store.path), "\(outcome)")
    }
    let shown = try await box.run([Programs.belfry, "show", "--json"], options)
    #expect(try shown.elements.count == 2)
    #expect(box.data(path) == before.0 && box.data(path + ".bak") == before.1 && box.files(in: "data") == before.2)
    try await box.shell("chmod -R u+rwX data").requireDone()
  }

  @Test(
    "a damaged file is refused by every command with its place, stays as it is, and the last good copy is named",
    arguments: stores)
  func damaged(store: DiskStore) async throws {
    let box = try Sandbox(config: store.config)
    for text in ["One", "Two", "Three"] { try await box.json("add", text) }
    let sound = box.data(store.path)
    let brace = try #require(sound.firstIndex(of: UInt8(ascii: store == .json ? "}" : ">")))
    var spoiled = [sound.prefix(sound.count / 2), Data(count: sound.count), Data()]
    spoiled.append(sound[..<brace] + sound[(brace + 1)...])
    for bytes in spoiled {
      try box.write(bytes, to: store.path)
      for command in StoreFileTests.commands + [["store", "check"], ["store", "info"]] {
        let outcome = try await box.run([Programs.belfry] + command, RunOptions())
        #expect(outcome.status == 74, "\(outcome)")
        #expect(outcome.messages.contains(#/store\.(json|plist)(:\d+:\d+)?:\s/#), "\(outcome)")
        #expect(outcome.messages.contains("\(store.path).bak (2 items"), "\(outcome)")
        #expect(outcome.output.isEmpty, "\(outcome)")
        #expect(box.data(store.path) == bytes, "\(command) changed the file")
      }
    }
  }

  @Test("a copy that is killed on its way leaves the target empty or whole", arguments: DiskStore.allCases)
  func killedCopy(store: DiskStore) async throws {
    let box = try Sandbox(config: "store: { type: json, path: from.json }")
    let lines = (1...1_000).map { "Item \($0)" }.joined(separator: "\n")
    try await box.belfry("add", "-", "--due", "2096-12-24 09:00", options: .input(lines)).requireDone()
    var random = SeededGenerator(seed: 1)
    var typical = 0.3
    for round in 1...4 {
      let config = "to-\(round).yaml"
      try box.write("store: { type: \(store), path: to-\(round).\(store) }\n", to: config)
      let words = [try Programs.belfry, "store", "copy", "--to", config].map { Array($0.utf8) }
      let process = try box.start(bytes: words, RunOptions())
      try await Task.sleep(for: .seconds(typical * Double.random(in: 0.1...1.3, using: &random)))
      process.send(SIGKILL)
      let end = await process.end
      let shown = try await box.belfry("show", "--all", "--json", "--config", config)
      let count = try shown.elements.count
      #expect(count == 1_000 || (count == 0 && end == .signalled(SIGKILL)), "\(end): \(count) items")
      typical *= end == .exited(0) ? 0.7 : 1.4
      if count == 0 {
        let again = try await box.belfry("store", "copy", "--to", config)
        #expect(again.isDone, "\(again)")
        #expect(try await box.belfry("store", "check", "--config", config).isDone)
      }
    }
  }

  @Test("edits made by hand are planned in a copy", arguments: DiskStore.allCases)
  func editedCopy(store: DiskStore) async throws {
    let box = try Sandbox(config: "store: { type: json, path: from.json }")
    try await box.json("add", "One", "--due", "2096-12-24 09:00")
    let text = box.text("from.json")
    try box.write(
      text.replacing(
        "\"due_local\":\"2096-12-24T09:00\"", with: "\"due_local\":\"2096-12-31T10:00\"", maxReplacements: 1),
      to: "from.json")
    try box.write("store: { type: \(store), path: to.\(store) }\n", to: "to.yaml")
    try await box.belfry("store", "copy", "--to", "to.yaml").requireDone()
    // The copy fires at the new time, whichever process plans it.
    try await box.belfry("add", "Two", "--config", "to.yaml").requireDone()
    let pending = try await box.json("pending", "--config", "to.yaml").elements
    #expect(pending?.compactMap { $0["fire_date"]?.text } == ["2096-12-31T10:00:00+01:00"])
  }
}
