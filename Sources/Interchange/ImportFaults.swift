/// A file that cannot be read as a whole.
package struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place in the file, the fault, and what to do; the caller names the file.
  package var message: String

  package var description: String { message }
}

/// The reason why one entry cannot be imported, as a sentence about it.
struct EntryFault: Error {
  let reason: String
}
