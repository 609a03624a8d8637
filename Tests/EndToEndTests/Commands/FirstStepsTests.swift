import Foundation
import Testing
import TestSupport

@Suite("First steps, and slips of the finger")
struct FirstStepsTests {
  @Test("init writes Config/belfry.yaml where belfry looks for it, for its owner alone, and says the next step")
  func initialize() async throws {
    let box = try Sandbox(config: nil)
    var options = RunOptions()
    options.prefix = [Programs.env, "-u", "BELFRY_CONFIG", "-u", "XDG_DATA_HOME"]
    let outcome = try await box.run([Programs.belfry, "init"], options)
    #expect(outcome.isDone && outcome.output.isEmpty, "\(outcome)")
    let path = box.path("home/config/belfry/config.yaml")
    for word in [path, "belfry config check", "belfry add", "belfry run"] {
      #expect(outcome.messages.contains(word), "\(outcome)")
    }
    let kept = try String(
      contentsOf: Checkout.file("Config/belfry.yaml"), encoding: .utf8)
    let wanted = kept.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("# yaml-language-server:") }.joined(separator: "\n")
    #expect(box.text(path) == wanted, "Sources/BelfryCLI/SampleConfig.swift has to hold Config/belfry.yaml")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let check = try await box.run([Programs.belfry, "config", "check"], options)
    #expect(check.isDone && check.messages.contains(path), "\(check)")
    let again = try await box.run([Programs.belfry, "init"], options)
    #expect(again.status == 73 && again.messages.contains(path), "\(again)")
    #expect(box.text(path) == wanted, "the second init changed the file")
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
      (["config", "schem"], "'belfry config --help'"),
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
