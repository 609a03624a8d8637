import BelfryEngine
import BelfryModel
import ConfigKeys
import Foundation
import Testing

@testable import BelfryConfig

@Suite("Where the config comes from")
struct FileTests {
  @Test(
    "the option counts before the variable, that before the user's file, that before the system's, that before none",
    arguments: [
      ("o.yaml", ["BELFRY_CONFIG": "/v.yaml", "HOME": "/h"], ["/h/.config/belfry/config.yaml"], "o.yaml"),
      (nil, ["BELFRY_CONFIG": "v.yaml", "HOME": "/h"], ["/h/.config/belfry/config.yaml"], "v.yaml"),
      (nil, ["BELFRY_CONFIG": "", "HOME": "/h"], ["/h/.config/belfry/config.yaml"], "/h/.config/belfry/config.yaml"),
      (
        nil, ["XDG_CONFIG_HOME": "/x", "HOME": "/h"], ["/x/belfry/config.yaml", "/h/.config/belfry/config.yaml"],
        "/x/belfry/config.yaml"
      ),
      (
        nil, ["XDG_CONFIG_HOME": "/x", "HOME": "/h"], ["/h/.config/belfry/config.yaml", "/etc/belfry/config.yaml"],
        "/etc/belfry/config.yaml"
      ),
      (
        nil, ["XDG_CONFIG_HOME": "relative", "HOME": "/h"], ["/h/.config/belfry/config.yaml"],
        "/h/.config/belfry/config.yaml"
      ),
      (
        nil, ["XDG_CONFIG_HOME": "", "HOME": "/h"], ["/h/.config/belfry/config.yaml", "/etc/belfry/config.yaml"],
        "/h/.config/belfry/config.yaml"
      ),
      (nil, [:], ["/etc/belfry/config.yaml"], "/etc/belfry/config.yaml"),
      (nil, ["HOME": "/h"], [], nil),
    ] as [(String?, [String: String], [String], String?)])
  func order(option: String?, variables: [String: String], files: [String], path: String?) {
    let locator = ConfigLocator(environment: Fixture.environment(variables)) { files.contains($0) }
    #expect(locator.locate(option: option) == path)
  }

  @Test(
    "the data folder is the one of the XDG specification",
    arguments: [
      (["XDG_DATA_HOME": "/d", "HOME": "/h"], "/d/belfry/x"),
      (["XDG_DATA_HOME": "d", "HOME": "/h"], "/h/.local/share/belfry/x"),
      (["HOME": "/h"], "/h/.local/share/belfry/x"), ([:], nil),
    ] as [([String: String], String?)])
  func dataFolder(variables: [String: String], path: String?) {
    let context = ConfigContext(directory: "/", environment: Fixture.environment(variables), zones: Fixture.zones)
    #expect(context.dataFile("x") == path)
  }

  @Test("without a file, the default is SQLite in the data folder and standard output, and nothing is created")
  func embeddedDefault() throws {
    try inTemporaryFolder { folder in
      let loader = Fixture.loader(["XDG_DATA_HOME": folder, "HOME": "/nonexistent", "XDG_CONFIG_HOME": folder])
      let configuration = try loader.loadDefault()
      #expect(configuration.source == nil)
      #expect(configuration.settings == Settings())
      #expect(configuration.store.type == "sqlite")
      #expect(configuration.store.path == "\(folder)/belfry/belfry.sqlite")
      #expect(configuration.sinks.map(\.name) == ["terminal"])
      #expect((configuration.sinks[0].plugin as? TerminalStub)?.format == .text)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }

  @Test("a file is found, read, and its relative paths start from its folder")
  func file() throws {
    try inTemporaryFolder { folder in
      let path = "\(folder)/belfry/config.yaml"
      try FileManager.default.createDirectory(atPath: "\(folder)/belfry", withIntermediateDirectories: false)
      try Data("store: { type: json, path: sub/b.json }\n".utf8).write(to: URL(fileURLWithPath: path))
      let loader = Fixture.loader(["XDG_CONFIG_HOME": folder])
      #expect(loader.locate(option: nil) == path)
      let configuration = try loader.load(option: nil)
      #expect(configuration.source == path)
      #expect(configuration.store.path == "\(folder)/belfry/sub/b.json")

      let here = FileManager.default.currentDirectoryPath
      let up = String(repeating: "../", count: here.split(separator: "/").count) + path.dropFirst()
      let environment = ConfigEnvironment(variables: [:], workingDirectory: here)
      let relative = try ConfigLoader(schema: Fixture.schema, environment: environment, zones: Fixture.zones)
        .load(option: up)
      #expect(relative.source == up)
      let store = try #require(relative.store.path)
      #expect(URL(fileURLWithPath: store).standardizedFileURL.path == "\(folder)/belfry/sub/b.json")
    }
  }

  @Test("a text that comes from elsewhere has its paths start from the working directory")
  func standardInput() throws {
    let bytes = Array("store: { type: json, path: b.json }".utf8)
    let configuration = try Fixture.loader().load(bytes: bytes, name: "-")
    #expect(configuration.source == "-")
    #expect(configuration.store.path == "/work/b.json")
  }

  @Test("a file that was named and is not there is told, however it was named")
  func missing() {
    for loader in [Fixture.loader(), Fixture.loader(["BELFRY_CONFIG": "/nonexistent/b.yaml"])] {
      let error = #expect(throws: ConfigurationError.self) {
        try loader.load(option: loader.locate(option: nil) ?? "/nonexistent/b.yaml")
      }
      #expect(error?.kind == .notFound)
      #expect(
        error?.description == "the config file /nonexistent/b.yaml cannot be read: no such file or directory")
    }
  }

  @Test("a folder is no config file, nor is what lies below a file")
  func folder() throws {
    try inTemporaryFolder { folder in
      #expect(throws: ConfigurationError.noSuchFile(path: folder, reason: "is a directory")) {
        try Fixture.loader().load(file: folder)
      }
      try Data().write(to: URL(fileURLWithPath: "\(folder)/a"))
      #expect(throws: ConfigurationError.noSuchFile(path: "\(folder)/a/b", reason: "not a directory")) {
        try Fixture.loader().load(file: "\(folder)/a/b")
      }
    }
  }

  @Test("a link that leads nowhere is not passed over")
  func danglingLink() throws {
    try inTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/belfry", withIntermediateDirectories: false)
      let path = "\(folder)/belfry/config.yaml"
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "gone.yaml")
      #expect(throws: ConfigurationError.noSuchFile(path: path, reason: "no such file or directory")) {
        try Fixture.loader(["XDG_CONFIG_HOME": folder]).load(option: nil)
      }
    }
  }

  @Test(
    "each reason why a file cannot be read has its kind",
    arguments: [
      (EACCES, BelfryError.Kind.noPermission), (EPERM, .noPermission), (ENOENT, .notFound), (ENOTDIR, .notFound),
      (EISDIR, .notFound), (ENAMETOOLONG, .notFound), (ELOOP, .notFound), (EIO, .storeFailed), (EMFILE, .storeFailed),
    ])
  func reasons(code: Int32, kind: BelfryError.Kind) {
    let error = ConfigFile.failure("/a", code: code)
    #expect(error.kind == kind)
    #expect(error.description.hasPrefix("the config file /a cannot be read: "))
  }

  @Test("a file larger than 1 MiB is refused without being read to its end")
  func large() throws {
    try inTemporaryFolder { folder in
      let path = "\(folder)/x.yaml"
      try Data(repeating: UInt8(ascii: "#"), count: 1 << 20).write(to: URL(fileURLWithPath: path))
      #expect(try Fixture.loader().load(file: path).settings == Settings())
      try Data(repeating: UInt8(ascii: "#"), count: 10 << 20).write(to: URL(fileURLWithPath: path))
      #expect(try ConfigFile.read(path, limit: 1 << 20).count == (1 << 20) + 1)
      let tooLarge = ConfigDiagnostic(.error, at: .start, "the file is larger than 1 MiB")
      #expect(throws: ConfigurationError.invalid(file: path, diagnostics: [tooLarge])) {
        try Fixture.loader().load(file: path)
      }
      #expect(throws: ConfigurationError.self) { try Fixture.loader().load(file: "/dev/zero") }
    }
  }

  @Test("the process has a home folder and a working directory")
  func process() {
    let environment = ConfigEnvironment.ofProcess()
    #expect(environment.home?.hasPrefix("/") == true)
    #expect(environment.workingDirectory == FileManager.default.currentDirectoryPath)
  }
}

private func inTemporaryFolder(_ body: (String) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-config-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder.path)
}
