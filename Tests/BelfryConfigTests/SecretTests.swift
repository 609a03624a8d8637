import BelfryConfig
import BelfryEngine
import BelfryModel
import ConfigKeys
import Foundation
import Testing
import Transport

@Suite("Secrets in the config")
struct SecretTests {
  private func load(_ keys: String, variables: [String: String] = [:], directory: String = "/etc/belfry") throws
    -> SecretStub
  {
    let schema = ConfigSchema(stores: Fixture.schema.stores, sinks: [SecretStub.self])
    let loader = ConfigLoader(
      schema: schema,
      environment: ConfigEnvironment(
        variables: variables.merging(["HOME": "/home/me"]) { $1 }, workingDirectory: "/work"),
      zones: Fixture.zones)
    let text = "sinks:\n  a:\n    type: s\n" + keys.split(separator: "\n").map { "    \($0)\n" }.joined()
    let configuration = try loader.load(bytes: Array(text.utf8), name: "x", directory: directory)
    return try #require(configuration.sinks[0].plugin as? SecretStub)
  }

  private func complaints(_ keys: String) -> [String] {
    do {
      _ = try load(keys)
      return []
    } catch {
      return "\(error)".split(separator: "\n").map(String.init)
    }
  }

  private func file(_ content: [UInt8]) throws -> String {
    let path = NSTemporaryDirectory() + "belfry-secret-\(UUID().uuidString)"
    try Data(content).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("a secret is given as such, as a file, a variable or a credential")
  func ways() throws {
    let path = try file(Array("from file\n".utf8))
    defer { unlink(path) }
    let folder = (path as NSString).deletingLastPathComponent
    let name = (path as NSString).lastPathComponent
    let variables = ["HUSH": "from variable", "CREDENTIALS_DIRECTORY": folder]
    for (key, value) in [
      ("password: \"from config\"", "from config"), ("password_file: \(path)", "from file"),
      ("password_env: HUSH", "from variable"), ("password_credential: \(name)", "from file"),
    ] {
      let section = try load("url: https://a.example\n\(key)", variables: variables)
      let source = try #require(section.password)
      #expect(try source.read().revealed == value)
      #expect(source.isFixed == (value == "from config"))
      #expect(section.places.map(\.isGiven) == [true, false, true])
    }
    #expect(try load("url: https://a.example").password == nil)
  }

  @Test("a relative path starts from the config's folder, and files are read at each use")
  func relative() throws {
    let path = try file(Array("one".utf8))
    defer { unlink(path) }
    let url = URL(fileURLWithPath: path)
    let section = try load(
      "url: https://a.example\npassword_file: \(url.lastPathComponent)", directory: url.deletingLastPathComponent().path
    )
    let source = try #require(section.password)
    #expect(try source.read().revealed == "one")
    try Data("two\r\n".utf8).write(to: url)
    #expect(try source.read().revealed == "two")
  }

  @Test("several can be given while they are replaced, where the key says so")
  func several() throws {
    let section = try load("url: https://a.example\nsecret_file: [a, /b]")
    #expect(
      section.signing.map(\.description) == [
        "'secret_file': the file '/etc/belfry/a'", "'secret_file': the file '/b'",
      ])
    #expect(
      try load("url: https://a.example\nsecret: [x, y]").signing.map { try $0.read().revealed } == [
        "x", "y",
      ])
    #expect(try load("url: https://a.example\nsecret: x").signing.count == 1)
  }

  @Test(
    "what is wrong is told at its place, and the secret is never quoted",
    arguments: [
      ("password: x", ["x:2:3: error: missing key 'url'"]),
      (
        "url: https://a.example\npassword: hush\npassword_file: f\npassword_env: E",
        [
          "x:6:5: error: 'password_file' gives 'password' a second time, beside 'password'",
          "x:7:5: error: 'password_env' gives 'password' a second time, beside 'password'",
        ]
      ),
      (
        "password_env: E\nurl: https://a.example\npassword: hush",
        ["x:6:5: error: 'password' gives 'password' a second time, beside 'password_env'"]
      ),
      ("url: https://a.example\npassword: 12345", ["x:5:15: error: expected text; put it in quotes"]),
      ("url: https://a.example\npassword: yes", ["x:5:15: error: expected text; put it in quotes"]),
      ("url: https://a.example\npassword: [hush]", ["x:5:15: error: expected text"]),
      ("url: https://a.example\npassword: { a: hush }", ["x:5:15: error: expected text"]),
      ("url: https://a.example\npassword:", ["x:5:14: error: expected text"]),
      ("url: https://a.example\npassword: \"\"", ["x:5:15: error: 'password' cannot be used: it is empty"]),
      (
        "url: https://a.example\npassword: \"hush\\nhush\"",
        ["x:5:15: error: 'password' cannot be used: it holds a line break or another control character"]
      ),
      (
        "url: https://a.example\npassword: \"\\0hush\"",
        ["x:5:15: error: 'password' cannot be used: it holds a line break or another control character"]
      ),
      (
        "url: https://a.example\nsecret: [hush, 5, []]",
        ["x:5:20: error: expected text; put it in quotes", "x:5:23: error: expected text"]
      ),
      ("url: https://a.example\nsecret: []", ["x:5:13: error: the list is empty"]),
      ("url: https://a.example\npassword_file: [a]", ["x:5:20: error: expected a path, found a list"]),
      (
        "url: https://a.example\npassword_credential: ../x",
        ["x:5:26: error: 'password_credential' is not a valid name"]
      ),
      ("url: https://a.example\npassword_env: A=B", ["x:5:19: error: 'password_env' is not a valid name"]),
      (
        "url: https://a.example\npasswrod_file: a",
        ["x:5:5: error: unknown key 'passwrod_file'; did you mean 'password_file'?"]
      ),
      ("url: http://hush.example/hush", ["x:4:10: error: 'url' cannot be used: the URL does not start with https://"]),
    ])
  func wrong(keys: String, lines: [String]) {
    #expect(complaints(keys) == lines)
    #expect(!complaints(keys).joined().contains("hush"))
  }

  @Test("an unreadable secret names its file or variable, never its content")
  func unreadable() throws {
    let contents: [([UInt8], String)] = [
      ([], "it is empty"), (Array("\n".utf8), "it is empty"), (Array("hush\nhush\n".utf8), "line break"),
      ([0xff, 0x68], "not UTF-8"),
      (Array("hu\0sh".utf8), "control character"), (Array(repeating: 0x61, count: 70_000), "too long"),
    ]
    for (content, reason) in contents {
      let path = try file(content)
      defer { unlink(path) }
      let source = try #require(try load("url: https://a.example\npassword_file: \(path)").password)
      let error = #expect(throws: BelfryError.self) { try source.read() }
      #expect(error?.message.contains(reason) == true && error?.message.contains("'password_file': the file ") == true)
      #expect(error?.description.contains("hush") == false)
    }
    let others = [
      (
        "password_file: /nowhere/at/all",
        "'password_file': the file '/nowhere/at/all' cannot be read: No such file or directory"
      ),
      ("password_file: /tmp", "'password_file': the file '/tmp' is not a regular file"),
      ("password_env: NOT_THERE", "'password_env': the environment variable 'NOT_THERE' is not set"),
      (
        "password_credential: c",
        "'password_credential': the credential 'c' is not there: $CREDENTIALS_DIRECTORY is not set"
      ),
    ]
    for (key, message) in others {
      let source = try #require(try load("url: https://a.example\n\(key)").password)
      #expect(#expect(throws: BelfryError.self) { try source.read() }?.message == message)
    }
    let path = try file(Array("http://hush.example/".utf8))
    defer { unlink(path) }
    let source = try #require(try load("url_file: \(path)").url)
    let error = #expect(throws: BelfryError.self) { try source.read() }
    #expect(error?.message.hasSuffix("cannot be used: the URL does not start with https://") == true)
  }

  @Test("a secret prints as nothing, however it is printed")
  func prints() throws {
    let secret = Secret("hush")
    let section = try load("url: https://a.example/hush\npassword: hush\nsecret_env: E", variables: ["E": "hush"])
    var dumped = ""
    dump(secret, to: &dumped)
    dump(section.password, to: &dumped)
    dump(section.signing, to: &dumped)
    let texts = [
      "\(secret)", String(describing: secret), String(reflecting: secret), "\([secret])", "\(Optional(secret) as Any)",
      dumped,
      "\(section.password as Any)", "\(section.signing)", "\(section.url as Any)",
    ]
    for text in texts { #expect(!text.contains("hush"), "\(text)") }
    #expect("\(secret)" == "<redacted>" && secret.revealed == "hush")
  }
}

private struct SecretStub: SinkStub {
  static let type = "s"
  static let summary = "x"
  var password: SecretSource?
  var signing: [SecretSource] = []
  var url: SecretSource?
  let places: [KeyPlace]

  init(_ section: inout ConfigSection) {
    places = [
      section.secret("password", &password, "The password."),
      section.secrets("secret", &signing, "What is signed with."),
      section.secret("url", &url, "The address.", isRequired: true) { secret throws(ConfigProblem) in
        _ = try ServerURL(secret.revealed, schemes: ["https"])
      },
    ]
  }
}
