/// An HTTP response whose body is read while it arrives, possibly for hours.
///
/// One task reads it. A slow reader slows the server down, since at most 80 KiB wait to be read. The transfer ends with
/// the body, with a failure, when a reading task is cancelled, and with the last reference to the stream.
public final class HTTPStream: Sendable {
  /// The status and header fields of the response; its body is empty.
  public let head: HTTPResponse
  private let pipe: ResponsePipe

  /// Waits until a transport has put the head of a response into the pipe.
  ///
  /// - Throws: the ``TransferFailure`` with which the transport has ended the pipe, or `.cancelled`.
  package init(from pipe: ResponsePipe) async throws(TransferFailure) {
    self.pipe = pipe
    head = try await pipe.readHead()
  }

  deinit { pipe.abandon() }

  /// Waits for the next bytes of the body, which need not be whole lines or characters; `nil` at the end of the body.
  ///
  /// A body that ends with its connection (RFC 9112, section 6.3) seems complete if the connection breaks.
  ///
  /// - Throws: ``TransferFailure``: `.timedOut` after silence, `.interrupted` if the connection broke, `.cancelled`.
  ///   Bytes that arrived before a failure other than a cancellation are read first.
  public func next() async throws(TransferFailure) -> [UInt8]? {
    try await pipe.read()
  }

  /// Reads the rest of the body, for bodies that are useless in part.
  ///
  /// - Throws: ``TransferFailure``, also `.protocolViolation` if the rest is longer than `limit` bytes.
  public func body(upTo limit: Int) async throws(TransferFailure) -> [UInt8] {
    var body: [UInt8] = []
    while let bytes = try await next() {
      body += bytes
      guard body.count <= limit else {
        pipe.abandon()
        throw TransferFailure(.protocolViolation, "the answer is longer than \(limit) bytes")
      }
    }
    return body
  }

  /// Reads the start of the body and ends the transfer: the response as ``HTTPTransport/send(_:)`` returns it, for
  /// statuses other than the expected one.
  ///
  /// After a failure the body is incomplete, but the status counts.
  public func response() async -> HTTPResponse {
    var body: [UInt8] = []
    while body.count < HTTPResponse.keptBody, let bytes = try? await next() { body += bytes }
    pipe.abandon()
    return HTTPResponse(status: head.status, fields: head.fields, body: Array(body.prefix(HTTPResponse.keptBody)))
  }
}
