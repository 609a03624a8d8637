import ConfigKeys
import FoundationEssentials
import Transport

/// Both transports, by libcurl.
///
/// All HTTP requests run in one loop on its own thread, which keeps up to 64 connections. Streams have a second loop,
/// since libcurl closes idle connections only while no transfer of their loop runs, and a stream runs for hours. Every
/// mail in flight has its own thread, because libcurl blocks until SMTP's last reply; the caller limits their number. A
/// connection to a mail server is reused only for the same server with the same credential, security and certificates.
///
/// The system's authorities and those in ``TransferOptions/caFile`` are trusted. With `.opportunistic` and a
/// credential, TLS is required: passwords and tokens go over unencrypted connections only with `.none`. With a
/// credential, a server that offers no way to sign in gets no mail.
package final class CurlTransport: HTTPTransport, MailTransport {
  /// The secrets of the environment's proxies, which libcurl repeats in messages.
  package let secrets: [Secret]
  private let loop: TransferLoop<HTTPExchange>
  private let streams: TransferLoop<HTTPExchange>
  private let lanes: MailLanes

  /// A transport that loads libcurl and starts its threads with the first transfer.
  ///
  /// - Parameters:
  ///   - httpIdleLimit: the time after which idle connections are closed.
  ///   - mailIdleLimit: the same for mail servers, many of which close idle connections early.
  package init(httpIdleLimit: Duration = .seconds(60), mailIdleLimit: Duration = .seconds(10)) {
    secrets = ProxySecrets.all(in: ProcessInfo.processInfo.environment)
    loop = TransferLoop(idleLimit: httpIdleLimit)
    streams = TransferLoop(idleLimit: httpIdleLimit)
    lanes = MailLanes(idleLimit: mailIdleLimit)
  }

  deinit {
    loop.stop()
    streams.stop()
    lanes.stop()
  }

  /// Ends the transport's threads and closes its connections; transfers in flight, and later ones, end as cancelled.
  package func close() async {
    loop.stop()
    streams.stop()
    let lanes = lanes.stop()
    await loop.waitForEnd()
    await streams.waitForEnd()
    for lane in lanes { await lane.waitForEnd() }
  }

  /// Sends one request and waits for the response; see ``HTTPTransport``.
  ///
  /// - Throws: ``TransferFailure``; `.unsendable` before anything is sent.
  package func send(_ request: HTTPRequest) async throws(TransferFailure) -> HTTPResponse {
    try request.check()
    return HTTPResponse(try await request.options.explaining(loop.run, .send(request)))
  }

  /// Sends one request and waits for the head of the response; see ``HTTPTransport``. Always over HTTP/1.1.
  ///
  /// - Throws: ``TransferFailure``; `.unsendable` before anything is sent.
  package func stream(
    _ request: HTTPRequest, silenceSeconds: Double
  ) async throws(TransferFailure) -> HTTPStream {
    try request.check()
    let silence = Duration.milliseconds(TransferOptions.milliseconds(silenceSeconds))
    return try await request.options.explaining(streams.open, StreamedRequest(request: request, silence: silence))
  }

  /// Connects, including TLS; see ``HTTPTransport``.
  ///
  /// - Throws: ``TransferFailure``.
  package func probe(url: String, options: TransferOptions) async throws(TransferFailure) {
    try Sendability.check(url: url, schemes: ["http://", "https://"])
    try options.check()
    _ = try await options.explaining(loop.run, .probe(url: url, options))
  }

  /// Sends one mail; see ``MailTransport``.
  ///
  /// - Throws: ``TransferFailure``; `.unsendable` before anything is sent, `.interrupted` when the server may have the
  ///   mail.
  package func send(_ mail: Mail, through server: MailServer) async throws(TransferFailure) -> SMTPReply {
    try mail.check()
    return try await run(MailExchange.Work(server: server, mail: mail))
  }

  /// Connects and signs in; see ``MailTransport``.
  ///
  /// - Throws: ``TransferFailure``.
  package func probe(_ server: MailServer) async throws(TransferFailure) -> SMTPReply {
    try await run(MailExchange.Work(server: server, mail: nil))
  }

  private func run(_ work: MailExchange.Work) async throws(TransferFailure) -> SMTPReply {
    try work.server.check()
    return try await work.server.options.explaining(lanes.run, work)
  }
}

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
