import Synchronization

/// The bounded pipe between a transport, which writes a response as it arrives, and the ``HTTPStream`` that reads it.
///
/// The writer never waits: a full pipe refuses bytes, and calls back when it has room. Its calls come from one thread.
package final class ResponsePipe: Sendable {
  private struct State {
    var head: HTTPResponse?
    var bytes: [UInt8] = []
    /// The end of the response, `.success` if the body is complete.
    var end: Result<Void, TransferFailure>?
    var hasRefused = false
    /// True if the pipe has changed while no reader was waiting.
    var hasNews = false
    var reader: CheckedContinuation<Void, Never>?
  }

  private let capacity: Int
  private let onRoom: @Sendable () -> Void
  private let onAbandon: @Sendable () -> Void
  private let state = Mutex(State())

  /// An empty pipe.
  ///
  /// - Parameters:
  ///   - capacity: the number of bytes at which the pipe is full.
  ///   - onRoom: called when the pipe has room again after it has refused bytes.
  ///   - onAbandon: called when the reader stops before the end; later bytes are not read.
  package init(
    capacity: Int = 65_536, onRoom: @escaping @Sendable () -> Void = {},
    onAbandon: @escaping @Sendable () -> Void = {}
  ) {
    self.capacity = capacity
    self.onRoom = onRoom
    self.onAbandon = onAbandon
  }

  package func write(head: HTTPResponse) {
    change { $0.head = head }
  }

  /// Writes all of some bytes of the body, or none of them if the pipe is full.
  ///
  /// - Returns: whether they were written.
  package func write(_ bytes: some Sequence<UInt8>) -> Bool {
    change { state in
      // An abandoned pipe accepts all bytes, until its writer stops.
      guard state.end == nil else { return true }
      state.hasRefused = state.bytes.count >= capacity
      if !state.hasRefused { state.bytes.append(contentsOf: bytes) }
      return !state.hasRefused
    }
  }

  /// Ends the response, with a failure if it is incomplete.
  package func end(_ result: Result<Void, TransferFailure>) {
    change { $0.end = $0.end ?? result }
  }

  private func change<Answer>(_ apply: (inout State) -> Answer) -> Answer {
    let (answer, reader) = state.withLock { state in
      let answer = apply(&state)
      defer { state.reader = nil }
      state.hasNews = state.reader == nil
      return (answer, state.reader)
    }
    reader?.resume()
    return answer
  }

  func readHead() async throws(TransferFailure) -> HTTPResponse {
    try await read { state in
      if let head = state.head { return .success(head) }
      return state.end.map { end in
        end.flatMap { .failure(TransferFailure(.protocolViolation, "the answer has no head")) }
      }
    }
  }

  /// Waits for the next bytes; `nil` at the end of the body.
  func read() async throws(TransferFailure) -> [UInt8]? {
    let (bytes, hadRefused): ([UInt8]?, Bool) = try await read { state in
      if state.bytes.isEmpty { return state.end.map { end in end.map { (nil, false) } } }
      defer { (state.bytes, state.hasRefused) = ([], false) }
      return .success((state.bytes, state.hasRefused))
    }
    if hadRefused { onRoom() }
    return bytes
  }

  /// Ends the response for its reader, even before its end.
  func abandon() {
    let hadEnded = change { state in
      defer { (state.head, state.bytes, state.end) = (nil, [], .failure(.cancelled)) }
      return state.end != nil
    }
    if !hadEnded { onAbandon() }
  }

  private func read<Value: Sendable>(
    _ take: @Sendable (inout State) -> sending Result<Value, TransferFailure>?
  ) async throws(TransferFailure) -> Value {
    let result: Result<Value, TransferFailure> = await withTaskCancellationHandler {
      while true {
        if let taken = state.withLock(take) { return taken }
        await waitForNews()
      }
    } onCancel: {
      abandon()
    }
    return try result.get()
  }

  private func waitForNews() async {
    await withCheckedContinuation { continuation in
      let hasNews = state.withLock { state in
        defer { state.hasNews = false }
        if !state.hasNews { state.reader = continuation }
        return state.hasNews
      }
      if hasNews { continuation.resume() }
    }
  }
}

extension TransferFailure {
  package static let cancelled = TransferFailure(.cancelled, "given up")
}
