import Glibc

/// A system call that failed.
package struct SystemCallFailure: Error, Hashable {
  package let code: Int32

  /// A failure with this `errno`.
  package init(code: Int32) { self.code = code }

  /// Throws for a result below zero.
  package static func check(_ result: Int32) throws(SystemCallFailure) {
    if result < 0 { throw SystemCallFailure(code: errno) }
  }
}
