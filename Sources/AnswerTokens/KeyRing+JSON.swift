import CivilTime
import Digests
import FoundationEssentials
import OrderedJSON

/// The reason why a file holds no key ring; it quotes no part of the file.
struct KeyRingFault: Error {
  let message: String
}

extension KeyRing {
  private static let format = "belfry-answer-keys"
  private static let version: Int64 = 1

  /// The ring as it is stored in the key file.
  var json: JSONValue {
    [
      "format": .string(Self.format),
      "version": .integer(Self.version),
      "keys": .array(keys.map(\.json)),
    ]
  }

  /// The ring that is stored in a key file.
  init(_ json: JSONValue) throws(KeyRingFault) {
    guard json["format"]?.stringValue == Self.format else { throw KeyRingFault(message: "it is not a key file") }
    guard json["version"]?.integerValue == Self.version else {
      throw KeyRingFault(message: "it was written by another version of Belfry")
    }
    guard let entries = json["keys"]?.arrayValue, entries.count <= Self.maximumKeys else {
      throw KeyRingFault(message: "its \"keys\" must be a list of at most \(Self.maximumKeys)")
    }
    var keys: [Key] = []
    for (index, entry) in entries.enumerated() {
      guard let key = Key(entry), !keys.contains(where: { $0.number == key.number }),
        (key.expiresAt == nil) == (index == entries.count - 1)
      else { throw KeyRingFault(message: "key \(index + 1) of \(entries.count) is damaged") }
      keys.append(key)
    }
    guard let newest = keys.last else { throw KeyRingFault(message: "it holds no key") }
    self.init(older: keys.dropLast(), newest: newest)
  }
}

extension KeyRing.Key {
  fileprivate var json: JSONValue {
    [
      "number": .integer(Int64(number)),
      "made_at": .string(Zone.utc.rfc3339(madeAt)),
      "expires_at": expiresAt.map { .string(Zone.utc.rfc3339($0)) } ?? .null,
      "key": .string(Base64URL.encode(secret)),
    ]
  }

  fileprivate init?(_ json: JSONValue) {
    guard let number = json["number"]?.integerValue.flatMap({ UInt8(exactly: $0) }), Self.numbers.contains(number),
      let madeAt = json["made_at"]?.stringValue.flatMap(parseRFC3339),
      let secret = json["key"]?.stringValue.flatMap({ Base64URL.decode($0, count: Self.length) }),
      let expiry = json["expires_at"]
    else { return nil }
    let expiresAt = expiry.stringValue.flatMap(parseRFC3339)
    guard expiry.isNull || expiresAt != nil else { return nil }
    self.init(number: number, madeAt: madeAt, expiresAt: expiresAt, secret: secret)
  }
}
