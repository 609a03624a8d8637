import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Digests
import HTTPTypes
import ItemEntry
import MemoryStore
import OrderedJSON
import Transport
import WebAccess

@testable import BelfryWeb
@testable import Passkeys

/// The readers of the web face, each of what a request brings.
enum WebReaders {
  private static let belfry = Belfry(
    store: MemoryStore(), settings: Settings(), time: ManualTimeSource(), zones: ZoneDatabase(environment: [:]))
  private static let url = try? ServerURL("https://belfry.example.org", schemes: ["https"])
  private static let ceremony = PasskeyCeremony(site: "belfry.example.org", origins: []) { _ in true }

  /// The fields of a form: those of an item and of a list's reminder.
  static func form(_ bytes: [UInt8]) throws {
    let fields = FormFields(String(decoding: bytes, as: UTF8.self))
    _ = try? fields.numbers("answer")
    _ = try? fields.number("page")
    let item = try ItemFields(fields)
    var reminder = try ListReminderFields(fields)
    try belfry.read { reading in
      let reader = EntryReader(reading, of: belfry)
      _ = try reminder.draft(reader)
      _ = try reader.edit(item.entry(from: ItemFields(.blank(on: "Inbox"))), of: nil)
    }
  }

  /// A line that becomes an item.
  static func line(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = try belfry.read { try EntryReader($0, of: belfry).line(text) }
  }

  /// A request's target in the first line, and a header field in each further one.
  static func head(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    let target = String(decoding: lines.popFirst() ?? [], as: UTF8.self)
    var fields = HTTPFields()
    for line in lines {
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2, let name = HTTPField.Name(String(decoding: parts[0], as: UTF8.self)) else { continue }
      fields.append(HTTPField(name: name, value: String(decoding: parts[1], as: UTF8.self)))
    }
    let host = fields[named: "Host"]
    if let name = HTTPField.Name("Host") { fields[name] = nil }
    check(HTTPTypes.HTTPRequest(method: .post, scheme: "http", authority: host, path: target, headerFields: fields))
    let query = target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
    guard let query = try? APIQuery(query, names: ["limit", "cursor", "now", "checked"]) else { return }
    _ = try? PageRequest(query, PageSeal(key: [1], path: "/", grant: Access.Grant(scope: .read)))
    _ = try? query.flag("checked")
  }

  private static func check(_ head: HTTPTypes.HTTPRequest) {
    let fields = head.headerFields
    _ = try? RequestTarget.check(head.path ?? "")
    _ = try? HostRule(publicURL: url).check(head)
    let origin = OriginRule(publicURL: url, address: .tcp(address: "127.0.0.1", port: 8787))
    _ = try? origin.check(head)
    _ = try? origin.checkSignIn(head)
    _ = AcceptedCodings(fields[.acceptEncoding]).prefersGzip
    _ = EntityTag.Expected(fields[.ifMatch] ?? "", isWeak: true).includes(EntityTag("text"))
    for isSecure in [false, true] { _ = Credential(head, isSecure: isSecure) }
    _ = ClientAddresses(trusted: ["127.0.0.1"], isLocalSocket: false).client(of: head, from: "127.0.0.1")
    _ = EventRoutes.opening(FeedState(), nil, lastID: fields[named: "Last-Event-ID"])
  }

  /// The alerts of a body in JSON.
  static func alerts(_ bytes: [UInt8]) throws {
    let value = try JSONValue(parsing: bytes)
    var reader = AlertReader(lists: [])
    if let object = value.objectValue { _ = reader.webhook(object) }
    if let elements = value.arrayValue { _ = reader.prometheus(elements) }
  }

  /// The bytes of an authenticator: an attestation object, a public key, and its data.
  static func passkey(_ bytes: [UInt8]) {
    let client = Array(#"{"type":"webauthn.create","challenge":"","origin":""}"#.utf8)
    _ = try? ceremony.made(client: client, attestation: bytes)
    _ = try? PasskeyKey(cose: bytes).verifies(bytes, of: client)
    _ = try? AuthenticatorData(bytes)
  }
}
