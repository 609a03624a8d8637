/// The data that an authenticator signs (Web Authentication, section 6.1).
struct AuthenticatorData {
  /// A credential that was made.
  struct Credential {
    let id: [UInt8]
    /// The public key, in the form of COSE.
    let key: [UInt8]
  }

  /// The longest identity of a credential.
  static let longestID = 1_023

  /// The SHA-256 of the name for which the credential was made.
  let siteDigest: [UInt8]
  /// True if a person was present.
  let isPresent: Bool
  /// True if the person was verified as the holder, by a finger, a face or a PIN.
  let isVerified: Bool
  /// The number of signatures so far, or 0.
  let counter: UInt32
  /// The credential, if one was made.
  let credential: Credential?

  init(_ bytes: [UInt8]) throws(PasskeyFault) {
    guard bytes.count >= 37 else { throw Self.short }
    let flags = bytes[32]
    siteDigest = Array(bytes[..<32])
    isPresent = flags & 0x01 != 0
    isVerified = flags & 0x04 != 0
    counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
    // A credential that is backed up must be eligible for it (WebAuthn Level 3, section 6.1.3).
    guard flags & 0x10 == 0 || flags & 0x08 != 0 else {
      throw PasskeyFault("the authenticator's flags contradict each other")
    }
    var rest = bytes[37...]
    credential = flags & 0x40 == 0 ? nil : try Self.credential(&rest)
    if flags & 0x80 != 0 {
      guard case .map = try CBORReader.value(Array(rest)) else { throw PasskeyFault("the extensions are not a map") }
      rest = []
    }
    guard rest.isEmpty else { throw PasskeyFault("the authenticator's data is followed by other bytes") }
  }

  private static func credential(_ rest: inout ArraySlice<UInt8>) throws(PasskeyFault) -> Credential {
    // The first 16 bytes name the kind of authenticator (AAGUID), which is not used.
    let head = Array(rest.prefix(18))
    guard head.count == 18 else { throw short }
    let length = Int(head[16]) << 8 | Int(head[17])
    guard (1...longestID).contains(length) else { throw PasskeyFault("the credential's identity has \(length) bytes") }
    rest = rest.dropFirst(18)
    let id = Array(rest.prefix(length))
    guard id.count == length else { throw short }
    rest = rest.dropFirst(length)
    var reader = CBORReader(Array(rest))
    _ = try PasskeyKey(reader.value())
    guard reader.position <= PasskeyKey.longest else { throw PasskeyFault("the key is too long") }
    defer { rest = rest.dropFirst(reader.position) }
    return Credential(id: id, key: Array(rest.prefix(reader.position)))
  }

  private static let short = PasskeyFault("the authenticator's data ends too early")
}
