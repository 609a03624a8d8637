import BelfryTestKit
import Foundation

/// A certificate authority made by `openssl`, which no system trusts.
package final class TestAuthority: Sendable {
  /// A certificate with its private key.
  package struct Identity: Hashable, Sendable {
    /// The path of the certificate, in PEM.
    package let certificate: String
    /// The path of the private key, in PEM.
    package let key: String
  }

  /// The purpose of a certificate.
  package enum Purpose: String, Sendable {
    /// A server; its names are host names.
    case server = "serverAuth"
    case client = "clientAuth"
  }

  /// The path of the authority's own certificate, in PEM.
  package var certificate: String { folder.file("ca.pem") }
  private let folder: TemporaryFolder

  /// Creates an authority.
  ///
  /// - Throws: ``Program/Failure``.
  package init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    try openssl(
      ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "3650"]
        + ["-subj", "/CN=Belfry test authority", "-keyout", "ca.key", "-out", "ca.pem"])
  }

  /// Creates a certificate signed by this authority.
  ///
  /// - Parameters:
  ///   - name: the host of a server, or the name of a client.
  ///   - purpose: its purpose.
  ///   - days: its validity; negative for an expired one.
  /// - Throws: ``Program/Failure``.
  package func identity(_ name: String = "localhost", for purpose: Purpose = .server, days: Int = 3_650) throws
    -> Identity
  {
    let base = "\(purpose.rawValue)-\(name)-\(days)"
    let addresses = name == "localhost" ? ",IP:127.0.0.1" : ""
    let extensions = "subjectAltName=DNS:\(name)\(addresses)\nextendedKeyUsage=\(purpose.rawValue)\n"
    try Data(extensions.utf8).write(to: URL(fileURLWithPath: folder.file("\(base).ext")))
    try openssl(
      ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(name)"]
        + ["-keyout", "\(base).key", "-out", "\(base).csr"])
    try openssl(
      ["x509", "-req", "-in", "\(base).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"]
        + ["-extfile", "\(base).ext", "-days", "\(days)", "-out", "\(base).pem"])
    return Identity(certificate: folder.file("\(base).pem"), key: folder.file("\(base).key"))
  }

  /// The same identity, its key encrypted with a passphrase.
  ///
  /// - Throws: ``Program/Failure``.
  package func locked(_ identity: Identity, passphrase: String) throws -> Identity {
    let key = identity.key + ".locked"
    try openssl(["pkey", "-in", identity.key, "-aes256", "-passout", "pass:\(passphrase)", "-out", key])
    return Identity(certificate: identity.certificate, key: key)
  }

  private func openssl(_ arguments: [String]) throws {
    try Program.run(["openssl"] + arguments, in: folder.path, errors: "/dev/null")
  }
}
