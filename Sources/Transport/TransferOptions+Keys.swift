import ConfigKeys

extension TransferOptions {
  /// Reads a sink's keys for the certificates to trust and to present.
  package mutating func readCertificates(_ section: inout ConfigSection) {
    var authorities: PEMFile?
    section.read(
      "ca_file", &authorities, .pemFile, "CA certificates to trust in addition to those of the system, in PEM.")
    var certificate: PEMFile?
    let certificateKey = section.read(
      "client_certificate", &certificate, .pemFile, "The client certificate, in PEM.")
    var key: PEMFile?
    let keyKey = section.read(
      "client_key", &key, .pemFile, "The private key of the client certificate, if that file does not contain it.")
    if keyKey.isGiven, !certificateKey.isGiven {
      section.error("'client_key' goes with 'client_certificate'", at: keyKey.key)
    }
    (caFile, clientCertificate, clientKey) = (authorities?.path, certificate?.path, key?.path)
  }
}

extension ConfigSection {
  /// The first sign-in key that is given; reports all others.
  package mutating func firstSignIn(of keys: [KeyPlace]) -> KeyPlace? {
    let given = keys.filter(\.isGiven).sorted { $0.key < $1.key }
    guard let first = given.first else { return nil }
    for key in given.dropFirst() {
      error("'\(key.name)' is a second way to sign in, beside '\(first.name)'", at: key.key)
    }
    return first
  }
}
