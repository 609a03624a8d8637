import Digests
import OrderedJSON

/// A ceremony in which a passkey is made or used, as this server takes part in it (Web Authentication, section 7).
package struct PasskeyCeremony: Sendable {
  /// The name for which browsers keep the passkeys.
  package let site: String
  /// The origins of the pages that may take part.
  package let origins: Set<String>
  /// True for a challenge that was given for this ceremony.
  package let isOwn: @Sendable (_ challenge: String) -> Bool

  /// A passkey that was made.
  package struct Made: Hashable, Sendable {
    /// The identity that its authenticator gave it.
    package let credential: [UInt8]
    /// The public key, in the form of COSE.
    package let key: [UInt8]
    /// The number of signatures so far.
    package let counter: UInt32
  }

  package init(site: String, origins: Set<String>, isOwn: @escaping @Sendable (_ challenge: String) -> Bool) {
    (self.site, self.origins, self.isOwn) = (site, origins, isOwn)
  }

  /// Checks a passkey that was made.
  ///
  /// - Parameter attestation: the attestation object. Its statement about the authenticator's maker is ignored.
  /// - Throws: ``PasskeyFault``.
  package func made(client: [UInt8], attestation: [UInt8]) throws(PasskeyFault) -> Made {
    try check(client, type: "webauthn.create")
    let object = try CBORReader.value(attestation)
    guard case .text? = object[.text("fmt")], case .map? = object[.text("attStmt")],
      let bytes = object[.text("authData")]?.bytes
    else { throw PasskeyFault("the attestation object lacks a member") }
    let data = try checked(bytes)
    guard let credential = data.credential else { throw PasskeyFault("no credential was made") }
    return Made(credential: credential.id, key: credential.key, counter: data.counter)
  }

  /// Checks a signature.
  ///
  /// - Parameter key: the public key of the passkey, in the form of COSE.
  /// - Returns: the number of signatures so far, which the caller compares.
  /// - Throws: ``PasskeyFault``.
  package func counter(
    client: [UInt8], authenticator: [UInt8], signature: [UInt8], key: [UInt8]
  ) throws(PasskeyFault) -> UInt32 {
    try check(client, type: "webauthn.get")
    let data = try checked(authenticator)
    guard try PasskeyKey(cose: key).verifies(signature, of: authenticator + SHA256.digest(client)) else {
      throw PasskeyFault("the signature was not made by the passkey")
    }
    return data.counter
  }

  private func checked(_ bytes: [UInt8]) throws(PasskeyFault) -> AuthenticatorData {
    let data = try AuthenticatorData(bytes)
    guard isEqualInConstantTime(data.siteDigest, SHA256.digest(Array(site.utf8))) else {
      throw PasskeyFault("the passkey is for another site")
    }
    guard data.isPresent, data.isVerified else { throw PasskeyFault("the authenticator did not verify the user") }
    return data
  }

  private func check(_ client: [UInt8], type: String) throws(PasskeyFault) {
    guard let data = (try? JSONValue(parsing: client))?.objectValue else {
      throw PasskeyFault("the client data is not JSON")
    }
    guard data["type"]?.stringValue == type else { throw PasskeyFault("the client data is for another ceremony") }
    guard let origin = data["origin"]?.stringValue, origins.contains(origin) else {
      throw PasskeyFault("the origin is not this server")
    }
    guard data["crossOrigin"] != .bool(true), data["topOrigin"] == nil else {
      throw PasskeyFault("the page was embedded in a page of another site")
    }
    guard let challenge = data["challenge"]?.stringValue, isOwn(challenge) else {
      throw PasskeyFault("the challenge has expired, or belongs to another sign-in")
    }
  }
}

/// The reason why the data of an authenticator is refused.
package struct PasskeyFault: Error, Hashable, Sendable {
  package let message: String

  package init(_ message: String) { self.message = message }
}
