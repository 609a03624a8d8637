import Testing

@testable import Passkeys

@Suite("Making and using a passkey")
struct CeremonyTests {
  private let ceremony = PasskeyCeremony(site: Vector.site, origins: [Vector.origin]) { $0 == Vector.challenge }

  private func made(_ vector: Vector, client: [UInt8]? = nil) throws -> PasskeyCeremony.Made {
    try ceremony.made(
      client: client ?? Vector.client("webauthn.create"), attestation: Vector.bytes(vector.attestation))
  }

  private func counter(
    _ vector: Vector, client: [UInt8]? = nil, authenticator: [UInt8]? = nil, signature: [UInt8]? = nil,
    key: String? = nil, ceremony: PasskeyCeremony? = nil
  ) throws -> UInt32 {
    try (ceremony ?? self.ceremony).counter(
      client: client ?? Vector.client("webauthn.get"),
      authenticator: authenticator ?? Vector.bytes(vector.authenticator),
      signature: signature ?? Vector.bytes(vector.signature), key: Vector.bytes(key ?? vector.key))
  }

  @Test("each algorithm is made and verified", arguments: Vector.all.indices)
  func algorithms(index: Int) throws {
    let vector = Vector.all[index]
    let made = try made(vector)
    #expect(made.credential == Vector.bytes(vector.credential) && made.key == Vector.bytes(vector.key))
    #expect(made.counter == 1)
    #expect(try counter(vector) == 2)
    for other in Vector.all where other.name != vector.name {
      #expect(throws: PasskeyFault.self) { try counter(vector, key: other.key) }
      #expect(throws: PasskeyFault.self) { try counter(vector, signature: Vector.bytes(other.signature)) }
    }
  }

  @Test("no other bit of the signature or of what is signed is accepted", arguments: Vector.all.indices)
  func bits(index: Int) throws {
    let vector = Vector.all[index]
    let (signature, data) = (Vector.bytes(vector.signature), Vector.bytes(vector.authenticator))
    for bit in 0..<signature.count * 8 {
      var changed = signature
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: PasskeyFault.self) { try counter(vector, signature: changed) }
    }
    for bit in 0..<data.count * 8 {
      var changed = data
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: PasskeyFault.self) { try counter(vector, authenticator: changed) }
    }
    for length in 0..<signature.count {
      #expect(throws: PasskeyFault.self) { try counter(vector, signature: Array(signature[..<length])) }
    }
    #expect(throws: PasskeyFault.self) { try counter(vector, signature: signature + [0]) }
  }

  @Test(
    "client data of another ceremony, page or challenge is refused",
    arguments: [
      Vector.client("webauthn.get"), Vector.client("payment.create"),
      Vector.client("webauthn.create", challenge: "Y2hhbGxlbmdm"), Vector.client("webauthn.create", challenge: ""),
      Vector.client("webauthn.create", origin: "http://localhost:8788"),
      Vector.client("webauthn.create", origin: "https://localhost:8787"),
      Vector.client("webauthn.create", origin: "http://localhost:8787.evil.example"),
      Vector.client("webauthn.create", more: #","crossOrigin":true"#),
      Vector.client("webauthn.create", more: #","topOrigin":"https://evil.example""#),
      Vector.client("webauthn.create", more: #","origin":"http://localhost:8787""#),
      Vector.client("webauthn.create") + [0], Array("[]".utf8), [], [0xff],
      [UInt8](repeating: UInt8(ascii: "["), count: 10_000),
    ])
  func client(bytes: [UInt8]) {
    #expect(throws: PasskeyFault.self) { try made(.es256, client: bytes) }
  }

  @Test("what was added by a later standard is passed over")
  func moreClientData() throws {
    #expect(try made(.es256, client: Vector.client("webauthn.create", more: #","other":[1]"#)).counter == 1)
  }

  @Test("a passkey of another site is refused")
  func otherSite() {
    let other = PasskeyCeremony(site: "belfry.example", origins: [Vector.origin]) { _ in true }
    #expect(throws: PasskeyFault("the passkey is for another site")) { try counter(.es256, ceremony: other) }
  }

  @Test("its holder has to be there, and verified", arguments: [0x00, 0x01, 0x04, 0x15] as [UInt8])
  func flags(flags: UInt8) {
    var data = Vector.bytes(Vector.es256.authenticator)
    data[32] = flags
    #expect(throws: PasskeyFault.self) { try counter(.es256, authenticator: data) }
    let object = Vector.bytes(Vector.es256.attestation)
    let place = object.count - Vector.bytes(Vector.es256.key).count - 16 - 2 - 16 - 4 - 1
    var changed = object
    changed[place] = flags | 0x40
    #expect(throws: PasskeyFault.self) {
      try ceremony.made(client: Vector.client("webauthn.create"), attestation: changed)
    }
  }

  @Test("an attestation object that is cut, lengthened or lacks something is refused")
  func attestation() throws {
    let client = Vector.client("webauthn.create")
    let object = Vector.bytes(Vector.es256.attestation)
    for length in 0..<object.count {
      #expect(throws: PasskeyFault.self) { try ceremony.made(client: client, attestation: Array(object[..<length])) }
    }
    #expect(throws: PasskeyFault.self) { try ceremony.made(client: client, attestation: object + [0]) }
    // Without a credential.
    let data = Vector.bytes(Vector.es256.authenticator)
    let head = "a363666d74646e6f6e656761747453746d74a068617574684461746158"
    let empty = Self.bytes(hexadecimal: head) + [UInt8(data.count)] + data
    #expect(throws: PasskeyFault("no credential was made")) {
      try ceremony.made(client: client, attestation: empty)
    }
  }

  private static func bytes(hexadecimal text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }

  @Test("whatever else comes in is refused, and never traps")
  func mutations() throws {
    var source = Mutations(state: 20_261_123)
    let object = Vector.bytes(Vector.es256.attestation)
    let signature = Vector.bytes(Vector.es256.signature)
    for _ in 0..<3_000 {
      let changed = source.mutated(object)
      if let made = try? ceremony.made(client: Vector.client("webauthn.create"), attestation: changed) {
        #expect(made.key.count <= PasskeyKey.longest && (1...1_023).contains(made.credential.count))
      }
      let other = source.mutated(signature)
      if other != signature { #expect(throws: PasskeyFault.self) { try counter(.es256, signature: other) } }
    }
  }
}

/// Changes to bytes, the same in every run.
private struct Mutations {
  var state: UInt64

  private mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...next(4) {
      let place = next(bytes.count)
      switch next(3) {
      case 0: bytes[place] = UInt8(next(256))
      case 1: bytes.insert(UInt8(next(256)), at: place)
      default: if bytes.count > 1 { bytes.remove(at: place) }
      }
    }
    return bytes
  }
}
