import Foundation
import Testing
import TestSupport

/// `make deb` without the release build, with scripts in place of the programs; `make test-deb` installs the real
/// package.
@Suite("The package for Debian and the archive")
struct PackageTests {
  private func packed() async throws -> Sandbox {
    let box = try Sandbox()
    for program in [try Programs.belfry, try Programs.belfryd, try Programs.belfryWeb] {
      let name = URL(fileURLWithPath: program).lastPathComponent
      try await box.install("#!/bin/sh\nexec '\(program)' \"$@\"\n", as: "bin/\(name)")
    }
    try await pack(box, into: "dist")
    return box
  }

  private func pack(_ box: Sandbox, into output: String, umask: String = "022") async throws {
    let script = "'\(Checkout.root.path)/.ci/package' '\(box.path("bin"))' '\(box.path(output))'"
    let outcome = try await box.shell("umask \(umask); BELFRY_PACK_LEVEL=1 \(script)")
    try #require(outcome.isDone && outcome.messages.isEmpty, "\(outcome)")
  }

  private func output(_ box: Sandbox, _ script: String) async throws -> String {
    let outcome = try await box.shell(script)
    try #require(outcome.isDone, "\(outcome)")
    return outcome.output
  }

  @Test("every file is where Debian looks for it, root's, and for everybody to read")
  func contents() async throws {
    let box = try await packed()
    var modes: [String: String] = [:]
    for line in try await output(box, "dpkg-deb --contents dist/belfry_*.deb").split(separator: "\n") {
      let words = line.split(separator: " ")
      #expect(words[1] == "root/root", "\(line)")
      modes[String(words[5].dropFirst(2))] = String(words[0])
    }
    let files = modes.filter { $0.value.hasPrefix("-") }
    #expect(modes["etc/belfry/"] == "drwxr-xr-x" && !files.keys.contains { $0.hasPrefix("etc/") })
    for program in ["belfry", "belfryd", "belfry-web"] { #expect(files["usr/bin/\(program)"] == "-rwxr-xr-x") }
    for path in [
      "lib/systemd/system/belfry.service", "lib/systemd/system/belfry-web.service",
      "lib/systemd/system/belfry-web.socket", "usr/share/systemd/user/belfry.service",
      "usr/share/systemd/user/belfry-web.socket", "usr/lib/sysusers.d/belfry.conf",
      "usr/share/man/man1/belfry.1.gz", "usr/share/man/man1/belfryd.1.gz",
      "usr/share/man/man1/belfry-web.1.gz", "usr/share/man/man5/belfry.yaml.5.gz",
      "usr/share/man/man7/belfry-concepts.7.gz", "usr/share/man/man7/belfry-recipes.7.gz",
      "usr/share/bash-completion/completions/belfry", "usr/share/zsh/vendor-completions/_belfry",
      "usr/share/fish/vendor_completions.d/belfry.fish", "usr/share/doc/belfry/changelog.gz",
      "usr/share/doc/belfry/copyright", "usr/share/doc/belfry/belfry.yaml", "usr/share/doc/belfry/belfry.schema.json",
      "usr/share/doc/belfry/recipes/gmail.yaml", "usr/share/doc/belfry/samples/Checklists.plist",
    ] {
      #expect(files[path] == "-rw-r--r--", "\(path)")
    }
    let unit = try await output(box, "dpkg-deb --fsys-tarfile dist/*.deb | tar -xO ./lib/systemd/system/belfry.service")
    #expect(unit.contains("\nExecStart=/usr/bin/belfryd\n"))
  }

  @Test("its version is the programs', and it names what they need")
  func control() async throws {
    let box = try await packed()
    let version = try await box.belfry("--version").output.trimmingCharacters(in: .newlines)
    #expect(try await output(box, "dpkg-deb --field dist/*.deb Version") == version + "\n")
    let needs = try await output(box, "dpkg-deb --field dist/*.deb Depends")
    for package in ["libcurl4", "procps", "tzdata", "systemd-sysusers"] {
      #expect(needs.contains(package), "\(package)")
    }
  }

  @Test("its scripts are sound: they make the user, enable nothing, and remove no one's lists")
  func scripts() async throws {
    let box = try await packed()
    _ = try await output(
      box, "dpkg-deb --control dist/*.deb control && for s in control/p*; do sh -n $s || exit 1; done")
    #expect(box.files(in: "control") == ["control", "md5sums", "postinst", "postrm", "prerm"])
    #expect(box.text("control/postinst").contains("systemd-sysusers"))
    #expect(!box.text("control/postinst").contains("systemctl enable"))
    for script in ["postinst", "prerm", "postrm"] {
      let text = box.text("control/\(script)")
      for word in ["/etc/belfry", "/var/lib/belfry", "/home", "rm -", "userdel"] {
        #expect(!text.contains(word), "\(script): \(word)")
      }
    }
  }

  @Test("the same programs give the same bytes, in another folder, at another time, under another umask")
  func bytes() async throws {
    let box = try await packed()
    try await pack(box, into: "again", umask: "077")
    let names = box.files(in: "dist")
    #expect(names.count == 2 && box.files(in: "again") == names)
    for name in names { #expect(box.data("dist/\(name)") == box.data("again/\(name)"), "\(name)") }
  }

  @Test("the archive works from wherever it is unpacked")
  func archive() async throws {
    let box = try await packed()
    let paths = try await output(
      box, "mkdir local && tar -xzf dist/*.tar.gz --strip-components=1 -C local && find local -type f")
    let files = Set(paths.split(separator: "\n").map(String.init))
    for path in [
      "bin/belfryd", "bin/belfry-web", "share/man/man1/belfry.1.gz", "share/zsh/site-functions/_belfry",
      "share/doc/belfry/belfry.yaml",
    ] {
      #expect(files.contains("local/\(path)"), "\(path)")
    }
    #expect(!files.contains { $0.contains("systemd") || $0.contains("lintian") })
    #expect(try await box.run([box.path("local/bin/belfry"), "add", "Milk"], RunOptions()).isDone)
  }

  @Test("its copyright names every package that the programs are linked with")
  func copyright() throws {
    let copyright = try Checkout.text("Config/debian/copyright")
    let packages = try Checkout.text("Package.swift").matches(of: #/\.package\(url: "([^"]+)"/#)
    #expect(!packages.isEmpty)
    for package in packages { #expect(copyright.contains("(\(package.output.1))"), "\(package.output.1)") }
  }
}
