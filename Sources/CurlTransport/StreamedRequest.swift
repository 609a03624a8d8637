import Transport

/// A request whose response is read as it arrives.
struct StreamedRequest: Sendable {
  let request: HTTPRequest
  /// The limit of each wait for the server.
  let silence: Duration
}

extension TransferLoop<HTTPExchange> {
  /// Sends a request and waits for the head of the response.
  ///
  /// - Throws: ``TransferFailure``.
  func open(_ streamed: StreamedRequest) async throws(TransferFailure) -> HTTPStream {
    if Task.isCancelled { throw .cancelled }
    let ticket = Ticket()
    let pipe = ResponsePipe(onRoom: { self.resume() }, onAbandon: { self.cancel(ticket) })
    submit(Job(work: .stream(streamed, pipe), ticket: ticket) { pipe.end($0.map { _ in }) })
    return try await HTTPStream(from: pipe)
  }
}
