/// A load on a server of answers, which a C program has sent.
struct PressLoad {
  /// The number of kept-alive connections.
  static let connections = 16

  /// A form of replies.
  enum Form: String {
    /// The page that a browser shows.
    case page = "text/html"
    /// The record that a program reads.
    case json = "application/json"
  }

  /// The milliseconds until each reply, from when its press was due.
  let latencies: [Double]
  /// The presses answered in a second.
  let rate: Double

  /// Presses with each token of a file.
  ///
  /// - Parameter rate: the presses due in a second; 0 for as many as are answered.
  /// - Throws: ``BenchmarkError`` where one is not answered.
  init(_ limits: LimitPrograms, port: Int, tokens: String, as form: Form, rate: Int = 0) throws {
    let command = limits.command(["press", "\(port)", tokens, form.rawValue, "\(Self.connections)", "\(rate)"])
    let numbers = try command.output().split(whereSeparator: \.isNewline).compactMap { Double($0) }
    guard let seconds = numbers.last, numbers.count > 1 else { throw BenchmarkError("\(tokens): nothing was pressed") }
    latencies = numbers.dropLast()
    self.rate = Double(latencies.count) / seconds
  }
}
