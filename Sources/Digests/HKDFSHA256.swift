/// HKDF with SHA-256 and without salt (RFC 5869): keys of several uses from one secret.
package enum HKDFSHA256 {
  /// The key of a use, 32 bytes.
  ///
  /// - Parameter info: the name of the use.
  package static func key(from secret: [UInt8], info: String) -> [UInt8] {
    // Section 2.2: no salt is as many zeros as a digest has.
    let extracted = code(key: [UInt8](repeating: 0, count: 32), secret)
    return code(key: extracted, Array(info.utf8) + [1])
  }

  private static func code(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var code = HMACSHA256(key: key)
    code.update(message)
    return code.finish()
  }
}
