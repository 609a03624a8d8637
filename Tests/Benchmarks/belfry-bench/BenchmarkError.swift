/// A benchmark that cannot go on: nothing that it measured so far counts.
struct BenchmarkError: Error {
  /// The exit status: 64 wrong usage, 1 everything else.
  var status: Int32 = 1
  /// The fault and the action to take.
  var message: String

  init(_ message: String) { self.message = message }

  /// The error of a command line that cannot be understood.
  static func usage(_ message: String) -> BenchmarkError {
    var error = BenchmarkError("\(message)\n\n\(Options.usage)")
    error.status = 64
    return error
  }

  /// The error that the last system call left in `errno`.
  static func system(_ what: String, _ code: Int32) -> BenchmarkError {
    BenchmarkError("\(what): \(SystemText.error(code))")
  }
}
