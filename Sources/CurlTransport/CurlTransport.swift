import BelfryCore

/// Both transports, by libcurl.
///
/// All HTTP goes through one loop on a thread of its own, which keeps up to 64 connections. Every mail under way has a
/// thread of its own, because libcurl waits for SMTP's last reply without letting go; how many there are at once is for
/// who sends to bound. A connection to a mail server is used for nothing but the same server with the same credential,
/// security and certificates.
///
/// Trusted are the system's authorities and those in ``TransferOptions/caFile``. With `.opportunistic` and a credential,
/// TLS is required: no password and no token goes over a connection that anybody can read, unless `.none` was asked for.
public final class CurlTransport: HTTPTransport, MailTransport {
  private let loop: TransferLoop<HTTPExchange>
  private let lanes: MailLanes

  /// A transport that loads libcurl and starts its threads when something is first to be sent.
  ///
  /// - Parameters:
  ///   - httpIdleLimit: how long connections stay open that nobody uses.
  ///   - mailIdleLimit: the same of those to mail servers, of which many hang up on idle clients soon.
  public init(httpIdleLimit: Duration = .seconds(60), mailIdleLimit: Duration = .seconds(10)) {
    loop = TransferLoop(idleLimit: httpIdleLimit)
    lanes = MailLanes(idleLimit: mailIdleLimit)
  }

  deinit {
    loop.stop()
    lanes.stop()
  }

  /// Ends the transport's threads and closes its connections; what is under way, or comes later, ends as cancelled.
  public func close() async {
    loop.stop()
    let lanes = lanes.stop()
    await loop.waitForEnd()
    for lane in lanes { await lane.waitForEnd() }
  }

  /// Sends one request and waits for the answer; see ``HTTPTransport``.
  ///
  /// - Throws: ``TransferFailure``; `.unsendable` before anything is sent.
  public func send(_ request: HTTPRequest) async throws(TransferFailure) -> HTTPResponse {
    try request.check()
    return HTTPResponse(try await loop.run(.send(request)))
  }

  /// Connects, as far as TLS goes; see ``HTTPTransport``.
  ///
  /// - Throws: ``TransferFailure``.
  public func probe(url: String, options: TransferOptions) async throws(TransferFailure) {
    try Sendability.check(url: url, schemes: ["http://", "https://"])
    _ = try await loop.run(.probe(url: url, options))
  }

  /// Sends one mail; see ``MailTransport``.
  ///
  /// - Throws: ``TransferFailure``; `.unsendable` before anything is sent, `.interrupted` when the server may have the mail.
  public func send(_ mail: Mail, through server: MailServer) async throws(TransferFailure) -> SMTPReply {
    try mail.check()
    try server.check()
    return try await lanes.run(MailExchange.Work(server: server, mail: mail))
  }

  /// Connects and signs in; see ``MailTransport``.
  ///
  /// - Throws: ``TransferFailure``.
  public func probe(_ server: MailServer) async throws(TransferFailure) -> SMTPReply {
    try server.check()
    return try await lanes.run(MailExchange.Work(server: server, mail: nil))
  }
}
