/// An HTTP response whose body arrives while it is read, for hours if need be.
///
/// One task reads it. A reader that is slow holds up the server: at most 80 KiB wait to be read. The transfer ends with
/// the body, with a failure, when a task is cancelled that reads it, and with the last reference to the stream.
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
  /// A body that ends with its connection (RFC 9112, section 6.3) seems to end where the connection breaks.
  ///
  /// - Throws: ``TransferFailure``: `.timedOut` after silence, `.interrupted` where the connection broke, `.cancelled`.
  ///   What arrived before the failure, other than a cancellation, is read first.
  public func next() async throws(TransferFailure) -> [UInt8]? {
    try await pipe.read()
  }

  /// Reads the rest of the body, for bodies that are useless in part.
  ///
  /// - Throws: ``TransferFailure``, also `.protocolViolation` where the rest is longer than `limit` bytes.
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
  /// A failure ends the body: the status counts all the same.
  public func response() async -> HTTPResponse {
    var body: [UInt8] = []
    while body.count < HTTPResponse.keptBody, let bytes = try? await next() { body += bytes }
    pipe.abandon()
    return HTTPResponse(status: head.status, fields: head.fields, body: Array(body.prefix(HTTPResponse.keptBody)))
  }
}
