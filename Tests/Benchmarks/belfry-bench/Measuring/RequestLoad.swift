/// A load on a server, which a C program has sent.
struct RequestLoad {
  /// The number of kept-alive connections.
  static let connections = 16

  /// A form of the replies to presses.
  enum Form: String {
    /// The page that a browser shows.
    case page = "text/html"
    /// The record that a program reads.
    case json = "application/json"
  }

  /// The milliseconds until each reply, from when its request was due.
  let latencies: [Double]
  /// The requests answered in a second.
  let rate: Double

  /// Presses with each token of a file.
  ///
  /// - Parameter rate: the presses due in a second; 0 for as many as are answered.
  /// - Throws: ``BenchmarkError`` where one is not answered.
  init(_ limits: LimitPrograms, port: Int, tokens: String, as form: Form, rate: Int = 0) throws {
    try self.init(limits.command(["press", "\(port)", tokens, form.rawValue, "\(Self.connections)", "\(rate)"]))
  }

  /// Sends the request in a file again and again, as fast as the replies come.
  ///
  /// - Throws: ``BenchmarkError`` where a reply has another status.
  init(
    _ limits: LimitPrograms, port: Int, request: String, status: Int = 200, connections: Int = connections, count: Int
  ) throws {
    try self.init(limits.command(["load", "\(port)", request, "\(status)", "\(connections)", "\(count)"]))
  }

  private init(_ command: Command) throws {
    let numbers = try command.output().split(whereSeparator: \.isNewline).compactMap { Double($0) }
    guard let seconds = numbers.last, numbers.count > 1 else {
      throw BenchmarkError("\(command.arguments.joined(separator: " ")): nothing was sent")
    }
    latencies = numbers.dropLast()
    rate = Double(latencies.count) / seconds
  }
}
