/// A failed benchmark, whose measurements so far do not count.
struct BenchmarkError: Error {
  /// The exit status: 64 for wrong usage, 1 for everything else.
  var status: Int32 = 1
  /// The fault and how to mend it.
  var message: String

  init(_ message: String) { self.message = message }

  /// The error of invalid arguments.
  static func usage(_ message: String) -> BenchmarkError {
    var error = BenchmarkError("\(message)\n\n\(Options.usage)")
    error.status = 64
    return error
  }

  /// The error of a failed system call.
  static func system(_ what: String, _ code: Int32) -> BenchmarkError {
    BenchmarkError("\(what): \(SystemText.error(code))")
  }
}
