import Foundation
import Testing
import TestSupport

@Suite("make install and uninstall")
struct InstallationTests {
  private func make(_ target: String, into box: Sandbox, umask: String = "022") async throws -> Outcome {
    let root = Checkout.root.path
    return try await box.shell(
      "umask \(umask); make -C '\(root)' \(target) BIN='\(Programs.folder.path)' DESTDIR='\(box.path("image"))' PREFIX=/usr"
    )
  }

  private func files(_ box: Sandbox) throws -> [String: Int] {
    let image = box.path("image")
    let paths = FileManager.default.enumerator(atPath: image)?.compactMap { $0 as? String } ?? []
    var files: [String: Int] = [:]
    for path in paths {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(image)/\(path)")
      if attributes[.type] as? FileAttributeType == .typeRegular {
        files[path] = attributes[.posixPermissions] as? Int
      }
    }
    return files
  }

  @Test("everything is where it belongs, for everybody to read, whatever the umask", arguments: ["022", "077"])
  func install(umask: String) async throws {
    let box = try Sandbox()
    let outcome = try await make("install-files", into: box, umask: umask)
    try #require(outcome.isDone, "\(outcome)")
    let files = try files(box)
    for program in ["belfry", "belfryd", "belfry-web"] { #expect(files["usr/bin/\(program)"] == 0o755, "\(program)") }
    for path in [
      "share/man/man1/belfry.1", "share/man/man1/belfryd.1", "share/man/man1/belfry-web.1",
      "share/man/man5/belfry.yaml.5", "share/man/man7/belfry-concepts.7", "share/man/man7/belfry-recipes.7",
      "share/bash-completion/completions/belfry", "share/zsh/site-functions/_belfry",
      "share/fish/vendor_completions.d/belfry.fish", "lib/systemd/system/belfry.service",
      "lib/systemd/system/belfry-web.socket", "share/systemd/user/belfry.service",
      "share/systemd/user/belfry-web.socket", "lib/sysusers.d/belfry.conf", "share/doc/belfry/belfry.yaml",
      "share/doc/belfry/belfry.schema.json", "share/doc/belfry/recipes/gmail.yaml",
      "share/doc/belfry/examples/webhooks.yaml",
      "share/doc/belfry/samples/Checklists.plist", "share/doc/belfry/samples/todo.plist",
    ] {
      #expect(files["usr/\(path)"] == 0o644, "\(path)")
    }
    for unit in ["lib/systemd/system", "share/systemd/user"] {
      #expect(box.text("image/usr/\(unit)/belfry.service").contains("\nExecStart=/usr/bin/belfryd\n"))
      #expect(box.text("image/usr/\(unit)/belfry-web.service").contains("\nExecStart=/usr/bin/belfry-web\n"))
    }
    #expect(box.text("image/usr/share/bash-completion/completions/belfry").contains("belfry"))
  }

  @Test("the installed files work: a command, the daemon that it executes, the installed config")
  func works() async throws {
    let box = try Sandbox(config: nil)
    #expect(try await make("install-files", into: box).isDone)
    let belfry = box.path("image/usr/bin/belfry")
    let config = box.path("image/usr/share/doc/belfry/examples/minimal.yaml")
    var options = RunOptions()
    options.environment["BELFRY_CONFIG"] = config
    let added = try await box.run([belfry, "add", "Milk", "--due", "2099-11-21 09:00"], options)
    #expect(added.isDone, "\(added)")
    #expect(try await box.run([belfry, "run", "--once"], options).isDone)
    let doctor = try await box.run([belfry, "doctor", "--json"], options)
    #expect(doctor.isDone, "\(doctor)")
    let version = try await box.run([box.path("image/usr/bin/belfryd"), "--version"], options)
    #expect(version.isDone)
    let web = try await box.run([belfry, "web", "--log-level", "nonsense"], options)
    #expect(web.status == 64, "\(web)")
  }

  @Test("uninstall takes away all that install has put there, and nothing else")
  func uninstall() async throws {
    let box = try Sandbox()
    #expect(try await make("install-files", into: box).isDone)
    try box.write("mine", to: "image/usr/share/man/man1/mine.1")
    let outcome = try await make("uninstall", into: box)
    #expect(outcome.isDone, "\(outcome)")
    #expect(Array(try files(box).keys) == ["usr/share/man/man1/mine.1"])
  }

  @Test("into a home and out of it again, people's stores stay as they are, and theirs alone")
  func home() async throws {
    let box = try Sandbox()
    let store = "image/usr/share/belfry/belfry.sqlite"
    try FileManager.default.createDirectory(
      atPath: box.path("image/usr/share/belfry"), withIntermediateDirectories: true)
    try box.write("mine", to: store)
    chmod(box.path(store), 0o600)
    for target in ["install-files", "uninstall"] {
      #expect(try await make(target, into: box).isDone)
      #expect(box.text(store) == "mine")
      #expect(try files(box)["usr/share/belfry/belfry.sqlite"] == 0o600, "\(target)")
    }
  }

  @Test("an install that cannot print a page fails")
  func fails() async throws {
    let box = try Sandbox()
    let root = Checkout.root.path
    let outcome = try await box.shell("make -C '\(root)' install-files BIN=/nowhere DESTDIR='\(box.path("image"))'")
    #expect(outcome.status == 2, "\(outcome)")
  }
}
