import CCurl
import Transport

/// An SMTP transaction in flight.
///
/// libcurl waits for the replies to the final dot and to QUIT inside `curl_multi_perform`, so every mail in flight has
/// its own loop (``MailLanes``), and this class and ``SocketSet`` end such a wait.
final class MailExchange: Exchange {
  /// A mail to send, or `nil` only to connect and sign in.
  struct Work: Sendable {
    let server: MailServer
    let mail: Mail?
  }

  static let keptConnections = 1

  let easy: EasyHandle
  var deadline: ContinuousClock.Instant?
  private let sockets: SocketSet
  private var dialogue = SMTPDialogue()
  private var listener: DialogueListener?
  private var composed: ComposedMail?
  private var ticket: Ticket?
  private var isProbe = false
  private var credential: MailCredential?
  private var isEncryptedLater = false
  private var limit = Duration.zero

  init(sockets: SocketSet) throws(TransferFailure) {
    easy = try EasyHandle()
    self.sockets = sockets
  }

  static func options(of work: Work) -> TransferOptions { work.server.options }

  func prepare(_ work: Work, _ ticket: Ticket) throws(TransferFailure) {
    let server = work.server
    self.ticket = ticket
    isProbe = work.mail == nil
    credential = server.credential
    isEncryptedLater = server.security != .none && !Sendability.hasPrefix(server.url, "smtps://")
    limit = server.options.limit
    easy.begin(protocols: "smtp,smtps", server.options)
    easy.set(CURLOPT_URL, server.url)
    // The environment's proxies are for HTTP.
    easy.set(CURLOPT_PROXY, "")
    // While libcurl blocks, the loop cannot check its own deadline.
    easy.set(CURLOPT_TIMEOUT_MS, server.options.limitMilliseconds)
    let context = Unmanaged.passUnretained(self).toOpaque()
    easy.record(belfry_curl_set_progress(easy.raw, checkProgress, context))
    easy.record(belfry_curl_set_listener(easy.raw, receiveDebugOutput, context))
    sockets.watch(easy)
    listener = server.options.trace.map(DialogueListener.init)
    encrypt(server)
    if let credential = server.credential { signIn(credential) }
    guard let mail = work.mail else {
      easy.set(CURLOPT_CONNECT_ONLY, 1)
      easy.set(CURLOPT_FRESH_CONNECT, 1)
      return
    }
    let composed = try ComposedMail(mail, for: easy)
    self.composed = composed
    ticket.limitStart(of: easy)
    composed.attach(to: easy)
  }

  private func encrypt(_ server: MailServer) {
    let level =
      switch server.security {
      case .required: CURLUSESSL_ALL
      // A password needs TLS unless the config says `.none`.
      case .opportunistic: server.credential == nil ? CURLUSESSL_TRY : CURLUSESSL_ALL
      case .none: CURLUSESSL_NONE
      }
    easy.set(CURLOPT_USE_SSL, Int(level.rawValue))
  }

  private func signIn(_ credential: MailCredential) {
    easy.set(CURLOPT_USERNAME, credential.username)
    switch credential.proof {
    case .password(let password):
      easy.set(CURLOPT_PASSWORD, password)
      easy.set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")
    case .token(let token):
      easy.set(CURLOPT_XOAUTH2_BEARER, token)
      easy.set(CURLOPT_LOGIN_OPTIONS, "AUTH=OAUTHBEARER;AUTH=XOAUTH2")
    }
  }

  func answer(_ code: CURLcode) throws(TransferFailure) -> SMTPReply {
    if let credential, mustNotMail || (dialogue.isUnsigned && code == CURLE_OK) {
      throw .unsigned(credential, offered: dialogue.offered)
    }
    if let refusal = dialogue.refusal { return refusal }
    if let violation = dialogue.violation { throw TransferFailure(.protocolViolation, violation) }
    if code == CURLE_OPERATION_TIMEDOUT { throw .timedOut(limit) }
    guard code == CURLE_OK else { throw failure(code) }
    guard let reply = dialogue.reply else {
      throw TransferFailure(.protocolViolation, "the server did not answer")
    }
    return reply
  }

  private func failure(_ code: CURLcode) -> TransferFailure {
    if code == CURLE_LOGIN_DENIED, let credential {
      if let challenge = dialogue.challenge {
        return TransferFailure(.untrusted, "the server does not let us sign in: \(challenge)")
      }
      if dialogue.isUnsigned, dialogue.stage != .authentication {
        return .unsigned(credential, offered: dialogue.offered)
      }
    }
    let failure = easy.failure(code)
    guard failure.kind == .interrupted || failure.kind == .protocolViolation else { return failure }
    // libcurl reports a closed connection as a failed read with errno 0.
    let isClosed = failure.reason.hasPrefix("response reading failed")
    let reason = isClosed ? "the server closed the connection" : failure.reason
    let stage = dialogue.stage
    return TransferFailure(failure.kind, stage == .greeting ? reason : "\(reason), after \(stage.words)")
  }

  func finish() {
    credential = nil
    composed = nil
    listener = nil
    ticket = nil
    dialogue = SMTPDialogue()
  }

  fileprivate var mayContinue: Bool { ticket?.isCancelled == false && dialogue.violation == nil && !mustNotMail }

  // If the server offers no way to sign in, libcurl would send the mail without. It calls the progress function after
  // each step, at the latest when only MAIL has been sent.
  private var mustNotMail: Bool {
    guard credential != nil, dialogue.isUnsigned else { return false }
    return dialogue.isMailing || dialogue.offersNothing(isEncryptedLater: isEncryptedLater)
  }

  fileprivate func process(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case CURLINFO_HEADER_IN: dialogue.received(bytes)
    case CURLINFO_HEADER_OUT:
      dialogue.sent(bytes)
      // QUIT is a courtesy, so its reply is not awaited.
      if dialogue.isQuitting { sockets.stopReading() }
    default: break
    }
    listener?.forward(kind, bytes)
  }
}

extension TransferFailure {
  /// The failure for a server that offers no usable way to sign in.
  fileprivate static func unsigned(_ credential: MailCredential, offered: [String]) -> TransferFailure {
    guard !offered.isEmpty else {
      return TransferFailure(
        .untrusted,
        "the server does not offer to sign in (AUTH), so no mail was sent: leave out 'username' if it takes mail so")
    }
    let ways =
      switch credential.proof {
      case .password: "PLAIN, LOGIN"
      case .token: "OAUTHBEARER, XOAUTH2"
      }
    let theirs = offered.joined(separator: ", ")
    return TransferFailure(
      .untrusted, "the server offers none of the supported ways to sign in (\(ways)), but \(theirs)")
  }
}

private func checkProgress(
  context: UnsafeMutableRawPointer?, toReceive: curl_off_t, received: curl_off_t, toSend: curl_off_t, sent: curl_off_t
) -> Int32 {
  guard let context else { return 1 }
  return Unmanaged<MailExchange>.fromOpaque(context).takeUnretainedValue().mayContinue ? 0 : 1
}

private func receiveDebugOutput(
  easy: UnsafeMutableRawPointer?, kind: curl_infotype, bytes: UnsafeMutablePointer<CChar>?, count: Int,
  context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return 0 }
  Unmanaged<MailExchange>.fromOpaque(context).takeUnretainedValue()
    .process(kind, UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}
