import BelfryConfig
import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import Foundation
import TestSupport
import Transport

/// Stand-ins for stores and sinks, and configs checked against them.
enum Fixture {
  static let schema = ConfigSchema(
    stores: [DatabaseStub.self, FileStub.self], sinks: [TerminalStub.self, MailStub.self])

  static let zones = ZoneDatabase(environment: [:])

  static func environment(_ variables: [String: String] = ["HOME": "/home/me"]) -> ConfigEnvironment {
    ConfigEnvironment(variables: variables, workingDirectory: "/work")
  }

  static func loader(_ variables: [String: String] = ["HOME": "/home/me"]) -> ConfigLoader {
    ConfigLoader(schema: schema, environment: environment(variables), zones: zones)
  }

  /// The config of a text, as if read from `/etc/belfry/x.yaml`.
  static func load(_ text: String) throws(ConfigurationError) -> Configuration {
    try load(bytes: Array(text.utf8))
  }

  static func load(bytes: [UInt8]) throws(ConfigurationError) -> Configuration {
    try loader().load(bytes: bytes, name: "x.yaml", directory: "/etc/belfry")
  }

  /// The errors in a text as the user sees them, or else its warnings.
  static func complaints(_ text: String) -> [String] { complaints(bytes: Array(text.utf8)) }

  static func complaints(bytes: [UInt8]) -> [String] {
    do throws(ConfigurationError) {
      return try load(bytes: bytes).warnings.map { $0.line(file: "x.yaml") }
    } catch {
      return error.description.split(separator: "\n").map(String.init)
    }
  }

  /// The paths of all configs in the checkout.
  static func shipped() throws -> [String] {
    let examples = try FileManager.default.contentsOfDirectory(
      atPath: Checkout.file("Config/examples").path)
    return ["Config/belfry.yaml"] + examples.filter { $0.hasSuffix(".yaml") }.sorted().map { "Config/examples/\($0)" }
  }
}

/// A store that only its section is looked at.
private protocol StoreStub: StorePlugin {
  var path: String { get }
}

extension StoreStub {
  func makeStore() throws -> any ItemStore { throw BelfryError(.internalError, "no store stands behind this section") }
}

struct DatabaseStub: StoreStub {
  static let type = "sqlite"
  static let summary = "a database"
  let path: String

  init?(_ section: inout ConfigSection) {
    guard let path = section.require("path", .path, "The file.") else { return nil }
    self.path = path
  }
}

struct FileStub: StoreStub {
  static let type = "json"
  static let summary = "a file"
  let path: String

  init?(_ section: inout ConfigSection) {
    guard let path = section.require("path", .path, "The file.") else { return nil }
    self.path = path
  }
}

extension StoreSection {
  var path: String? { (plugin as? any StoreStub)?.path }
}

/// A sink that only its section is looked at.
protocol SinkStub: SinkPlugin {}

extension SinkStub {
  func makeSink(_ transports: Transports) throws -> any ReminderSink {
    throw BelfryError(.internalError, "no sink stands behind this section")
  }
}

struct TerminalStub: SinkStub {
  enum Format: String, CaseIterable { case text, json }

  static let type = "stdout"
  static let summary = "prints"
  var format = Format.text

  init(_ section: inout ConfigSection) { section.read("format", &format, .choice, "How a line looks.") }
}

struct MailStub: SinkStub {
  enum Encryption: String, CaseIterable { case required, opportunistic, none }

  static let type = "email"
  static let summary = "mails"
  let url: String
  var tls = Encryption.required
  var recipients: [String] = []
  var subject: String?
  var timeout = 15
  var concurrency = 16
  var cc: [Located<String>]?
  var quietFrom: TimeOfDay?
  let places: [KeyPlace]
  let section: ConfigSection

  init?(_ section: inout ConfigSection) {
    let url = section.require("url", .line, "The server.")
    let tls = section.read("tls", &tls, .choice, "Encryption.")
    let to = section.read("to", &recipients, .list(of: .line), "The recipients.")
    section.read("subject", &subject, .text, "The subject.")
    section.read("timeout", &timeout, .duration(atLeast: 1), "How long to wait.")
    let concurrencyKey = section.read("concurrency", &concurrency, .integer(1...64), "How many at once.")
    section.read("cc", &cc, .list(of: .located(.line)), "More recipients.")
    section.read("quiet_from", &quietFrom, .timeOfDay, "When the night begins.")
    if self.tls == .required, url?.hasPrefix("plain:") == true {
      section.error("'tls: required' needs another url", at: section.position(of: "url"))
    }
    if concurrency > 32 { section.warning("more than 32 at once is a lot", at: concurrencyKey.value) }
    guard let url else { return nil }
    self.url = url
    places = [tls, to]
    self.section = section
  }
}
