import ConfigKeys

extension TransferOptions {
  /// Reads the keys of a sink that say whom to trust, and as whom to be trusted.
  package mutating func readCertificates(_ section: inout ConfigSection) {
    var authorities: PEMFile?
    section.read(
      "ca_file", &authorities, .pemFile, "Certificates of authorities to trust beside the system's, in PEM.")
    var certificate: PEMFile?
    let certificateKey = section.read(
      "client_certificate", &certificate, .pemFile, "The certificate to show to the server, in PEM.")
    var key: PEMFile?
    let keyKey = section.read(
      "client_key", &key, .pemFile, "Its private key, where the certificate's file does not have it.")
    if keyKey.isGiven, !certificateKey.isGiven {
      section.error("'client_key' goes with 'client_certificate'", at: keyKey.key)
    }
    (caFile, clientCertificate, clientKey) = (authorities?.path, certificate?.path, key?.path)
  }
}
