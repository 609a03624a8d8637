/// HKDF with SHA-256 (RFC 5869): keys of several uses from one secret.
package enum HKDFSHA256 {
  /// The key of a use without a salt, 32 bytes.
  ///
  /// - Parameter info: the name of the use.
  package static func key(from secret: [UInt8], info: String) -> [UInt8] {
    // Section 2.2: no salt is as many zeros as a digest has.
    key(from: secret, salt: [UInt8](repeating: 0, count: 32), info: Array(info.utf8))
  }

  /// The key of a use, 32 bytes, of which fewer may be taken.
  package static func key(from secret: [UInt8], salt: [UInt8], info: [UInt8]) -> [UInt8] {
    code(key: code(key: salt, secret), info + [1])
  }

  private static func code(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var code = HMACSHA256(key: key)
    code.update(message)
    return code.finish()
  }
}
