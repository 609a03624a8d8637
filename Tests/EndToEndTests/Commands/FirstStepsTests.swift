import Foundation
import Testing
import TestSupport

@Suite("First steps, and slips of the finger")
struct FirstStepsTests {
  @Test("init writes Config/start.yaml where belfry looks for it, for its owner alone, and says the next step")
  func initialize() async throws {
    let box = try Sandbox(config: nil)
    var options = RunOptions()
    options.prefix = [Programs.env, "-u", "BELFRY_CONFIG", "-u", "XDG_DATA_HOME"]
    let outcome = try await box.run([Programs.belfry, "init"], options)
    #expect(outcome.isDone && outcome.output.isEmpty, "\(outcome)")
    let path = box.path("home/config/belfry/config.yaml")
    for word in [path, "belfry config check", "belfry add", "belfry run", "belfry init --list"] {
      #expect(outcome.messages.contains(word), "\(outcome)")
    }
    let wanted = try Checkout.text("Config/start.yaml")
    #expect(box.text(path) == wanted && wanted.split(separator: "\n").count < 20)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let check = try await box.run([Programs.belfry, "config", "check"], options)
    #expect(check.isDone && check.messages.contains(path), "\(check)")
    let again = try await box.run([Programs.belfry, "init"], options)
    #expect(again.status == 73 && again.messages.contains(path), "\(again)")
    #expect(box.text(path) == wanted, "the second init changed the file")
  }

  @Test(
    "init --list has a line for every file in Config/recipes, and each is written, is in order and says what it needs")
  func recipes() async throws {
    let box = try Sandbox(config: nil)
    let listed = try await box.belfry("init", "--list")
    let lines = listed.output.split(separator: "\n")
    let files = try Self.recipeNames()
    #expect(lines.compactMap { $0.split(separator: " ").first.map(String.init) } == files && files.count > 15)
    #expect(lines.allSatisfy { $0.count <= 80 && $0.split(separator: " ").count > 3 }, "\(listed)")
    for name in files {
      let path = box.path("\(name)/config.yaml")
      let written = try await box.belfry("init", name, "--config", path)
      #expect(written.isDone && written.messages.contains(path), "\(written)")
      let recipe = try Checkout.text("Config/recipes/\(name).yaml")
      let store = box.path("home/data/belfry/belfry.sqlite")
      #expect(box.text(path) == recipe.replacing("~/.local/share/belfry/belfry.sqlite", with: "'\(store)'"))
      let before = try await box.belfry("config", "check", path)
      let missing = before.messages.matches(of: #/the file '([^']+)'/#).map { String($0.output.1.prefix { $0 != "…" }) }
      for file in missing { #expect(written.messages.contains(file), "\(written)") }
      #expect(written.messages.contains("say how to create the missing files") == !missing.isEmpty, "\(written)")
      try box.writeSecrets(of: recipe, in: name)
      let after = try await box.belfry("config", "check", path)
      #expect(after.isDone && Sandbox.lines(ofCheck: after).count == 1, "\(after)")
    }
    let unknown = try await box.belfry("init", "slak")
    #expect(unknown.status == 66 && unknown.messages.contains("did you mean 'slack'"), "\(unknown)")
    #expect(unknown.messages.contains("'belfry init --list' shows the recipes"), "\(unknown)")
  }

  private static func recipeNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Checkout.file("Config/recipes").path)
      .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }

  @Test("the first lines of each recipe have a command for each file that it names, after which nothing is missing")
  func recipeFiles() async throws {
    let box = try Sandbox(config: nil)
    for name in try Self.recipeNames() {
      let path = box.path("\(name)/config.yaml")
      try await box.belfry("init", name, "--config", path).requireDone()
      let lines = box.text(path).split(separator: "\n")
      let commands = lines.prefix { $0.hasPrefix("#") }.compactMap {
        $0.wholeMatch(of: #/#   (\(umask 077; echo .+ >([\w.-]+)\))/#)?.output
      }
      let named = lines.flatMap { $0.prefix { $0 != "#" }.matches(of: #/_file: ([\w.-]+)/#).map(\.output.1) }
      #expect(commands.map(\.2).sorted() == Set(named).sorted(), "\(name)")
      let script = (["cd \(name)"] + commands.map { String($0.1) }).joined(separator: "\n")
      #expect(try await box.shell(script).isDone)
      let check = try await box.belfry("config", "check", path)
      #expect(check.isDone && !check.messages.contains("the file '"), "\(check)")
    }
  }

  @Test("init writes the other files that a recipe's first lines name, and replaces none")
  func filesBesideRecipes() async throws {
    let box = try Sandbox(config: nil)
    let others = try FileManager.default.contentsOfDirectory(atPath: Checkout.file("Config/recipes").path)
      .filter { !$0.hasSuffix(".yaml") }.sorted()
    var written: Set<String> = []
    for name in try Self.recipeNames() {
      let made = try await box.belfry("init", name, "--config", "\(name)/config.yaml")
      let header = box.text("\(name)/config.yaml").split(separator: "\n").prefix { $0.hasPrefix("#") }.joined()
      for other in others where header.contains(other) {
        #expect(box.text("\(name)/\(other)") == (try Checkout.text("Config/recipes/\(other)")), "\(name)")
        #expect(made.messages.contains("\(name)/\(other) beside it."), "\(made)")
        written.insert(other)
      }
    }
    #expect(written.sorted() == others)
    try box.write("mine", to: "web/nginx.conf")
    let again = try await box.belfry("init", "web", "--config", "web/other.yaml")
    #expect(again.isDone && again.messages.contains("nginx.conf exists already and was left as it is"), "\(again)")
    #expect(box.text("web/nginx.conf") == "mine")
  }

  @Test("the next steps fit the recipe: they can be run as they are, and the item is asked about step by step")
  func nextSteps() async throws {
    let box = try Sandbox(config: nil)
    for name in try Self.recipeNames() {
      let path = box.path("\(name)/config.yaml")
      let written = try await box.belfry("init", name, "--config", path)
      let config = box.text(path)
      let steps = written.messages.split(separator: "\n").filter { $0.hasPrefix("  belfry") }
        .map { $0.dropFirst(2).prefix(upTo: $0.range(of: "     ")?.lowerBound ?? $0.endIndex) }
      #expect(steps.count == 3, "\(written)")
      #expect(steps.last?.contains("--once") == (name == "cron") && steps.last?.hasPrefix("belfryd") == (name == "nas"))
      // A folder of calendars is elsewhere on the machine.
      guard !config.contains("type: vdir") else { continue }
      try box.writeSecrets(of: config, in: name)
      // Each recipe has a store of its own, so that the item is the first.
      if !config.contains("\nstore:") {
        try box.write(config + "store: { type: sqlite, path: own.sqlite }\n", to: "\(name)/config.yaml")
      }
      let added = try await box.shell("belfry() { \"$BELFRY\" \"$@\"; }; \(steps[1])")
      #expect(added.isDone, "\(added)")
      let shown = try await box.belfry("explain", "1", "--if-unanswered", "--config", path)
      #expect(shown.isDone && shown.output.contains("anna") == config.contains("escalation"), "\(shown)")
    }
  }

  @Test("init RECIPE --vdir puts the folder in the place of the recipe's store", arguments: ["desktop", "nextcloud"])
  func recipeWithFolder(name: String) async throws {
    let box = try Sandbox(config: nil)
    try FileManager.default.createDirectory(atPath: box.path("lists/home"), withIntermediateDirectories: true)
    try await box.belfry("init", name, "--vdir", "lists", "--config", "my.yaml").requireDone()
    let remind = name == "nextcloud" ? "alarms" : "due"
    #expect(box.text("my.yaml").contains("\nstore: { type: vdir, path: '\(box.path("lists"))', remind: \(remind) }\n"))
    #expect(box.text("my.yaml").split(separator: "store:").count == 2)
  }

  @Test("init --vdir refuses the folder of one list, and names the one above")
  func folderOfOneList() async throws {
    let box = try Sandbox(config: nil)
    try FileManager.default.createDirectory(atPath: box.path("lists/home"), withIntermediateDirectories: true)
    try box.write("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", to: "lists/home/a.ICS")
    let refused = try await box.belfry("init", "--vdir", "lists/home", "--config", "my.yaml")
    #expect(refused.status == 65 && refused.messages.contains("lists/home holds to-dos itself"), "\(refused)")
    #expect(refused.messages.contains("belfry init --vdir '\(box.path("lists"))'"), "\(refused)")
    #expect(!box.files().contains("my.yaml"))
    try await box.belfry("init", "--vdir", "lists", "--config", "my.yaml").requireDone()
  }

  @Test("init goes where --config or $BELFRY_CONFIG says, and keeps the store where it was without a config")
  func initializeElsewhere() async throws {
    let box = try Sandbox(config: nil)
    #expect(try await box.belfry("init").isDone)
    #expect(box.text("belfry.yaml").contains("path: '\(box.path("home/data/belfry/belfry.sqlite"))'"))
    let named = try await box.belfry("init", "--config", "a/b/my own.yaml")
    #expect(named.isDone && named.messages.contains("--config 'a/b/my own.yaml'"), "\(named)")
    #expect(try await box.belfry("config", "check", "a/b/my own.yaml").isDone)
    let odd = try await box.belfry("init", "--config", "belfry.yaml/below")
    #expect(odd.status == 73, "\(odd)")
  }

  @Test(
    "a mistyped command is answered with the nearest one and 64",
    arguments: [
      (["ad", "x"], "'belfry add'"), (["sho"], "'belfry show'"), (["confg", "check"], "'belfry config'"),
      (["config", "chek"], "'belfry config check'"), (["list", "creat", "x"], "'belfry list create'"),
      (["sinks", "tset", "x"], "'belfry sinks test'"), (["xyzzyx"], "'belfry --help'"),
      (["config", "schem"], "'belfry config --help'"), (["help", "hlep"], "no command 'belfry hlep'"),
      (["help", "lst"], "did you mean 'belfry list'?"), (["help", "list", "remnd"], "'belfry list remind'"),
      (["shwo", "--help"], "did you mean 'belfry show'?"), (["list", "remnd", "-h"], "'belfry list remind'"),
      (["done", "1"], "'belfry check'"), (["rm", "1"], "'belfry delete'"), (["remove", "1"], "'belfry delete'"),
      (["ls"], "'belfry show'"), (["today"], "'belfry agenda --days 1'"), (["version"], "'belfry --version'"),
      (["list", "rm", "x"], "'belfry list delete'"), (["list", "new", "x"], "'belfry list create'"),
      (["access", "rm", "x"], "'belfry access revoke'"), (["new", "x"], "'belfry add'"),
    ])
  func commands(words: [String], answer: String) async throws {
    let box = try Sandbox()
    let outcome = try await box.run([Programs.belfry] + words, RunOptions())
    #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.messages.contains(answer), "\(outcome)")
  }

  @Test(
    "other wrong usage is told as before",
    arguments: [
      (["add", "x", "--du", "9:00"], "'--due'"), (["show", "--owerdue"], "'--overdue'"), (["add"], "TEXT"),
      (["check", "x"], "x"), (["show", "--all", "--checked"], "contradict"), (["show", "--color", "blue"], "blue"),
      (["show", "--watch", "--json"], "contradict"), (["show", "--watch"], "terminal"),
    ])
  func usage(words: [String], answer: String) async throws {
    let box = try Sandbox()
    let outcome = try await box.run([Programs.belfry] + words, RunOptions())
    #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.messages.contains(answer), "\(outcome)")
  }
}
