/// Why the content of a file cannot be a store's.
package enum StoreFault: Error, Hashable, Sendable {
  /// What is wrong, and where in the file, in bytes from its start.
  case damaged(offset: Int, message: String)
  /// The file was written by a later program, which knows more than this one.
  case newer(version: Int64)
}
