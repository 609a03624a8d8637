import Foundation
import Testing

@Suite("The config, as commands read it")
struct ConfigReadingTests {
  @Test("everything that is wrong is told at once, each with file, line and column; every command ends with 78")
  func errors() async throws {
    let config = """
      store: { type: sqlite, path: store.sqlite, pth: x }
      defualt_list: Inbox
      missed: { policy: sometimes }
      sinks:
        out: { type: stdout, format: xml }
        odd: { type: pigeon }
      routes:
        - { lists: [Work], sinks: [outt] }
      history: soon
      default_list: A
      default_list: B
      """
    let box = try Sandbox(config: config)
    let path = box.path("belfry.yaml")
    let check = try await box.belfry("config", "check")
    #expect(check.status == 78, "\(check)")
    #expect(check.output.isEmpty)
    for (line, word) in [
      (1, "'pth'"), (2, "default_list"), (3, "sometimes"), (5, "xml"), (6, "pigeon"), (8, "'outt'"), (9, "soon"),
      (11, "default_list"),
    ] {
      #expect(
        check.messages.split(separator: "\n").contains {
          $0.wholeMatch(of: /(.*):(\d+):(\d+): error: .*/)?.output.2 == "\(line)" && $0.hasPrefix(path)
            && $0.contains(word)
        }, "nothing about line \(line), \(word): \(check)")
    }
    for words in [["show"], ["add", "x"], ["lists"], ["sinks"], ["run", "--once"], ["import", "x"], ["pending"]] {
      let outcome = try await box.run([Programs.belfry] + words, RunOptions())
      #expect(outcome.status == 78, "\(outcome)")
      #expect(outcome.messages.contains("\(path):2:"), "\(outcome)")
    }
    #expect(box.files() == ["home", "belfry.yaml"])
  }

  @Test(
    "files that are no config at all end with 78 and a place",
    arguments: [
      "store: {", "- a\n- b", "just text", "a: 1\n\tb: 2", "store: *nothing", "\u{feff}\u{0}", "default_list: [1",
    ])
  func noConfig(text: String) async throws {
    let box = try Sandbox(config: text)
    let outcome = try await box.belfry("show")
    #expect(outcome.status == 78, "\(outcome)")
    #expect(outcome.messages.contains("\(box.path("belfry.yaml")):"), "\(outcome)")
  }

  @Test("a config that is not UTF-8 ends with 78")
  func notUTF8() async throws {
    let box = try Sandbox()
    try box.write(Data("default_list: ".utf8) + [0xff, 0xfe, 0x0a], to: "belfry.yaml")
    let outcome = try await box.belfry("show")
    #expect(outcome.status == 78, "\(outcome)")
  }

  @Test("config check takes a file or standard input, and says which one is in order")
  func check() async throws {
    let box = try Sandbox()
    try box.write("default_list: Home\n", to: "good.yaml")
    try box.write("default_lisst: Home\n", to: "bad.yaml")
    let good = try await box.belfry("config", "check", "good.yaml")
    #expect(good.isDone && good.messages.contains("good.yaml"), "\(good)")
    let bad = try await box.belfry("config", "check", "bad.yaml")
    #expect(bad.status == 78 && bad.messages.contains("bad.yaml:1:1: error:"), "\(bad)")
    #expect(bad.messages.contains("default_list"), "no nearest name: \(bad)")
    let piped = try await box.belfry("config", "check", "-", options: .input("default_lisst: Home\n"))
    #expect(piped.status == 78, "\(piped)")
    let empty = try await box.belfry("config", "check", "-", options: .input(""))
    #expect(empty.isDone, "\(empty)")
  }

  @Test("config check warns of each secret that cannot be read, at its place; doctor tells of them too")
  func secretFiles() async throws {
    let box = try Sandbox(
      config: """
        store: { type: json, path: items.json }
        sinks:
          hook: { type: webhook, url_file: none }
          mail:
            { type: email, url: "smtp://127.0.0.1:9", tls: none, from: a@example.org, to: [b@example.org],
              username: me, password_file: folder }
          idle: { type: webhook, url_file: none, enabled: false }
          later: { type: webhook, url_env: HOOK_URL }
          whole: { type: webhook, url: "https://127.0.0.1:9/", secret_file: weak }
        heartbeat: { url_file: beat }
        web: { listen: "unix:/run/b.sock", user_header: X-User, proxy_secret_file: shared }
        """)
    try FileManager.default.createDirectory(atPath: box.path("folder"), withIntermediateDirectories: true)
    try box.write("not a signing key\n", to: "weak")
    let outcome = try await box.belfry("config", "check")
    #expect(outcome.isDone, "\(outcome)")
    let found = outcome.messages.matches(of: #/belfry\.yaml:(\d+):(\d+): warning: '(\w+)': the file '/#).map {
      "\($0.1):\($0.2) \($0.3)"
    }
    let expected = [
      "3:36 url_file", "6:36 password_file", "9:69 secret_file", "10:24 url_file", "11:76 proxy_secret_file",
    ]
    #expect(found == expected, "\(outcome)")
    #expect(outcome.messages.contains(": warning: 'url_env'"), "\(outcome)")
    #expect(outcome.messages.contains("is valid, with "), "\(outcome)")
    let doctor = try await box.belfry("doctor")
    for name in ["none", "folder", "weak", "beat", "shared"] {
      #expect(doctor.output.contains("'\(box.path(name))'"), "no '\(name)': \(doctor)")
    }
    for (name, text) in [("none", "https://127.0.0.1:9/"), ("beat", "https://127.0.0.1:9/"), ("shared", "hush")] {
      try box.write(text, to: name)
    }
    let left = try await box.belfry("config", "check").messages
    #expect(
      left.matches(of: #/the file '[^']*/(folder|weak)'/#).count == 2 && left.matches(of: /the file/).count == 2,
      "\(left)")
  }

  @Test("templates are checked by config check and the daemon; other commands do without")
  func templates() async throws {
    let box = try Sandbox(
      config: """
        store: { type: sqlite, path: belfry.sqlite }
        sinks:
          mail: { type: email, url: "smtp://localhost:9", from: a@b.example, to: [c@d.example], subject: "{{text" }
        """)
    #expect(try await box.belfry("add", "Milk").isDone)
    for words in [["config", "check"], ["run", "--once"]] {
      let refused = try await box.run([Programs.belfry] + words, RunOptions())
      #expect(refused.status == 78, "\(refused)")
      #expect(refused.messages.contains(":3:"), "\(refused)")
      #expect(refused.messages.contains("the template does not parse"), "\(refused)")
    }
  }

  @Test("--config comes before $BELFRY_CONFIG, then $XDG_CONFIG_HOME, then the embedded default")
  func search() async throws {
    let box = try Sandbox()
    try box.write("store: { type: sqlite, path: named.sqlite }\n", to: "named.yaml")
    let named = try await box.belfry("config", "path", "--config", "named.yaml")
    #expect(named.output.contains("named.yaml"), "\(named)")
    let environment = try await box.belfry("config", "path")
    #expect(environment.output == box.path("belfry.yaml") + "\n", "\(environment)")

    var options = RunOptions()
    options.prefix = [Programs.env, "-u", "BELFRY_CONFIG"]
    let embedded = try await box.run([Programs.belfry, "add", "Milk", "--json"], options)
    #expect(embedded.isDone, "\(embedded)")
    #expect(box.files(in: "home/data/belfry").contains("belfry.sqlite"))
    try FileManager.default.createDirectory(
      atPath: box.path("home/config/belfry"), withIntermediateDirectories: true)
    try box.write("store: { type: sqlite, path: near.sqlite }\n", to: "home/config/belfry/config.yaml")
    let found = try await box.run([Programs.belfry, "config", "path"], options)
    #expect(found.output == box.path("home/config/belfry/config.yaml") + "\n", "\(found)")
    let added = try await box.run([Programs.belfry, "add", "Milk", "--json"], options)
    #expect(try added.json["id"] == .integer(1), "\(added)")
    #expect(box.files(in: "home/config/belfry").contains("near.sqlite"), "relative paths are relative to the config")
  }

  @Test("a store of type sqlite without a path is where the default's is, and config show says where")
  func withoutPath() async throws {
    let box = try Sandbox(config: "store: { type: sqlite }\n")
    let added = try await box.belfry("add", "Milk")
    #expect(added.isDone, "\(added)")
    #expect(box.files(in: "home/data/belfry").contains("belfry.sqlite"))
    let shown = try await box.belfry("config", "show")
    #expect(shown.output.contains("path: \"\(box.path("home/data/belfry/belfry.sqlite"))\""), "\(shown)")
    // Stores that people edit have no default path.
    try box.write("store: { type: json }\n", to: "belfry.yaml")
    #expect(try await box.belfry("config", "check").status == 78)
  }

  @Test("default_list and default_time are followed")
  func defaults() async throws {
    let box = try Sandbox(
      config: """
        store: { type: sqlite, path: ~/deep/er/store.sqlite }
        default_list: Home
        default_time: "07:15"
        """)
    let item = try await box.json("add", "Milk", "--due", "2096-12-24")
    #expect(item["list"] == .text("Home"))
    #expect(item["due_local"] == .text("2096-12-24T07:15"))
    #expect(box.files(in: "home/deep/er").contains("store.sqlite"))
  }
}
