import CWebPush

/// The library of P-256, which is loaded at its first use.
package enum PushLibrary {
  /// The reason why this machine can neither make keys nor encrypt; `nil` if it can.
  package static var fault: String? { belfry_web_push_load().map { String(cString: $0) } }
}

/// A private key of P-256, with its public key.
package struct PushKey: Sendable {
  /// The private key, 32 bytes.
  package let bytes: [UInt8]
  /// The public key, an uncompressed point of 65 bytes.
  package let publicKey: [UInt8]

  /// A key of these bytes; `nil` for bytes that are not a private key.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 32, let point = written(65, { belfry_p256_public_key(bytes, $0) }) else { return nil }
    (self.bytes, publicKey) = (bytes, point)
  }

  /// A new key; `nil` if ``PushLibrary`` is missing.
  package static func make() -> PushKey? {
    written(32) { belfry_p256_make_key($0) }.flatMap(PushKey.init)
  }

  /// The secret that the holder of this key shares with the holder of another, by its public key; `nil` if that is
  /// invalid.
  package func sharedSecret(with publicKey: [UInt8]) -> [UInt8]? {
    guard publicKey.count == 65 else { return nil }
    return written(32) { belfry_p256_shared_secret(bytes, publicKey, $0) }
  }

  /// The ECDSA signature of a digest of 32 bytes: two numbers of 32 bytes.
  func signature(of digest: [UInt8]) -> [UInt8]? {
    guard digest.count == 32 else { return nil }
    return written(64) { belfry_p256_sign(bytes, digest, $0) }
  }
}

extension PushKey: CustomReflectable {
  /// A mirror without children, so that dumping it shows no secret.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// The bytes that a C function writes; `nil` if it fails.
private func written(_ count: Int, _ write: (UnsafeMutablePointer<UInt8>?) -> Int32) -> [UInt8]? {
  var isGood = false
  let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
    isGood = write(buffer.baseAddress) == 1
    length = isGood ? count : 0
  }
  return isGood ? bytes : nil
}

/// Random bytes from the kernel.
package func randomBytes(_ count: Int) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count) { bytes, length in
    belfry_random(bytes.baseAddress, count)
    length = count
  }
}
