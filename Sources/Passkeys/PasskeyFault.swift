/// The reason why what an authenticator sent is refused.
package struct PasskeyFault: Error, Hashable, Sendable {
  package let message: String

  package init(_ message: String) { self.message = message }
}
