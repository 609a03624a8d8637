import BelfryModel
import CCurl
import Transport

/// An HTTP request in flight.
final class HTTPExchange: Exchange {
  /// A request to send or a connection to probe.
  enum Work: Sendable {
    case send(HTTPRequest)
    /// Writes the response into a pipe as it arrives.
    case stream(StreamedRequest, ResponsePipe)
    /// Connects, including TLS.
    case probe(url: String, TransferOptions)
  }

  /// A response that is not parsed yet, since the loop's thread parses none.
  struct Answer: Sendable {
    let status: Int
    let head: [UInt8]
    let body: [UInt8]
  }

  /// The most bytes of headers, including interim responses.
  private static let maximumHead = 131_072
  static let keptConnections = 64

  let easy: EasyHandle
  var deadline: ContinuousClock.Instant?
  private let fields = FieldList()
  private let body = RawBuffer()
  private var listener: DialogueListener?
  private var isProbe = false
  private let refusals = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
  private var stream: StreamInFlight?
  private var head: [UInt8] = []
  private var headCount = 0
  private var kept: [UInt8] = []
  private var bodyCount = 0

  init(sockets: SocketSet) throws(TransferFailure) {
    easy = try EasyHandle()
    refusals.initialize(to: 0)
  }

  deinit { refusals.deallocate() }

  static func options(of work: Work) -> TransferOptions {
    switch work {
    case .send(let request): request.options
    case .stream(let streamed, _): streamed.request.options
    case .probe(_, let options): options
    }
  }

  func prepare(_ work: Work, _ ticket: Ticket) throws(TransferFailure) {
    let options = Self.options(of: work)
    easy.begin(protocols: "http,https", options)
    // HTTP/2 over TLS if the server offers it, otherwise HTTP/1.1.
    easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    let context = Unmanaged.passUnretained(self).toOpaque()
    easy.record(belfry_curl_set_receivers(easy.raw, receiveHead, receiveBody, context))
    if options.isForPublicHosts {
      refusals.pointee = 0
      easy.record(belfry_curl_set_opener(easy.raw, belfry_curl_open_public, refusals))
    }
    if let trace = options.trace {
      let listener = DialogueListener(trace)
      self.listener = listener
      listener.listen(to: easy)
    }
    switch work {
    case .send(let request):
      set(request)
      ticket.limitStart(of: easy)
    case .stream(let streamed, let pipe):
      set(streamed.request)
      stream = StreamInFlight(pipe: pipe, silence: streamed.silence)
      // Over HTTP/2 a paused stream would block all other streams on its connection.
      easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
      easy.record(belfry_curl_set_watcher(easy.raw, watchRequest, context))
    case .probe(let url, _):
      isProbe = true
      easy.set(CURLOPT_URL, url)
      easy.set(CURLOPT_CONNECT_ONLY, 1)
      easy.set(CURLOPT_FRESH_CONNECT, 1)
    }
  }

  private func set(_ request: HTTPRequest) {
    easy.set(CURLOPT_URL, request.url)
    let hasBody = !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method)
    if hasBody {
      body.reserve(request.body.count)
      body.append(request.body)
      easy.set(CURLOPT_POST, 1)
      easy.record(belfry_curl_set_body(easy.raw, body.start, body.count))
    }
    if request.method == "HEAD" { easy.set(CURLOPT_NOBODY, 1) }
    if request.method != (hasBody ? "POST" : "GET") { easy.set(CURLOPT_CUSTOMREQUEST, request.method) }
    var lines = request.fields.map { field in
      // libcurl omits an empty field with a colon and sends it with a semicolon.
      (name: field.name, separator: field.value.isEmpty ? ";" as StaticString : ": ", value: field.value)
    }
    // Without these two libcurl waits for 100 Continue before a long body, and labels every body as a form.
    lines.append((name: "Expect", separator: ":", value: ""))
    if hasBody, !request.fields.contains(where: { $0.isNamed("content-type") }) {
      lines.append((name: "Content-Type", separator: ":", value: ""))
    }
    easy.set(CURLOPT_HTTPHEADER, pointer: fields.fill(lines))
  }

  func answer(_ code: CURLcode) throws(TransferFailure) -> Answer {
    if isProbe, code == CURLE_OK { return Answer(status: 0, head: [], body: []) }
    if headCount > Self.maximumHead {
      throw TransferFailure(.protocolViolation, "the answer's header is longer than \(Self.maximumHead) bytes")
    }
    let isOverlong = bodyCount > HTTPResponse.maximumBody
    let isEnough = stream == nil && (isOverlong || isAnsweredEarly(code))
    guard code == CURLE_OK || isEnough else {
      guard code == CURLE_COULDNT_CONNECT, refusals.pointee > 0 else { throw easy.failure(code) }
      throw TransferFailure(.unreachable, "the host has no public address")
    }
    let status = easy.number(CURLINFO_RESPONSE_CODE)
    guard (100...599).contains(status) else {
      throw TransferFailure(.protocolViolation, "the answer's status is \(status)")
    }
    return Answer(status: status, head: head, body: kept)
  }

  // A server that responds before it has the whole request may close the stream, and the response is valid (RFC 9113
  // section 8.1, RFC 9112 section 9.5). libcurl reports a failure.
  private func isAnsweredEarly(_ code: CURLcode) -> Bool {
    let isOurSide = code == CURLE_SEND_ERROR || code == CURLE_HTTP2_STREAM
    return isOurSide && head.suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A] && easy.number(CURLINFO_RESPONSE_CODE) >= 200
  }

  // Before the first byte of the request the server cannot have accepted anything.
  func failure(after limit: Duration) -> TransferFailure {
    if let stream, stream.isConnected { return .silent(stream.silence) }
    return easy.number(CURLINFO_REQUEST_SIZE) == 0 ? .unconnected(limit) : .timedOut(limit)
  }

  func resume() -> CURLcode {
    guard stream?.isPaused == true else { return CURLE_OK }
    stream?.isPaused = false
    awaitMore()
    // Passes on the bytes that libcurl has buffered, which may pause the transfer again.
    return curl_easy_pause(easy.raw, CURLPAUSE_CONT)
  }

  func finish() {
    refusals.pointee = 0
    listener = nil
    isProbe = false
    stream = nil
    head = []
    headCount = 0
    kept = []
    bodyCount = 0
  }

  // From now on the limit is the longest silence.
  fileprivate func noteConnection() {
    stream?.isConnected = true
    awaitMore()
  }

  private func awaitMore() {
    deadline = stream.map { ContinuousClock.now + $0.silence }
  }

  fileprivate func appendHead(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headCount += bytes.count
    guard headCount <= Self.maximumHead else { return false }
    // The status line of another response after an interim one; the last response counts.
    if bytes.starts(with: "HTTP/".utf8) { head.removeAll(keepingCapacity: true) }
    if head.isEmpty { head.reserveCapacity(512) }
    head.append(contentsOf: bytes)
    if let stream, !stream.hasHead, bytes.first.map(isLineEnd) == true { pass(head, to: stream.pipe) }
    return true
  }

  private func pass(_ head: [UInt8], to pipe: ResponsePipe) {
    let status = easy.number(CURLINFO_RESPONSE_CODE)
    guard (200...599).contains(status) else { return }
    stream?.hasHead = true
    awaitMore()
    pipe.write(head: HTTPResponse(Answer(status: status, head: head, body: [])))
  }

  // Returns the number of bytes taken, as libcurl requires.
  fileprivate func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let stream else { return appendBody(bytes) ? bytes.count : 0 }
    guard stream.pipe.write(bytes) else {
      self.stream?.isPaused = true
      // The server is not silent, the reader is slow.
      deadline = nil
      return Int(CURL_WRITEFUNC_PAUSE)
    }
    awaitMore()
    return bytes.count
  }

  private func appendBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bodyCount += bytes.count
    let room = HTTPResponse.keptBody - kept.count
    if room > 0 { kept.append(contentsOf: bytes.prefix(room)) }
    return bodyCount <= HTTPResponse.maximumBody
  }
}

/// The state of a stream.
private struct StreamInFlight {
  let pipe: ResponsePipe
  let silence: Duration
  /// True once the request is on its way.
  var isConnected = false
  var hasHead = false
  /// True while the pipe is full.
  var isPaused = false
}

private func receiveHead(
  bytes: UnsafeMutablePointer<CChar>, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
  return exchange.appendHead(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

private func receiveBody(
  bytes: UnsafeMutablePointer<CChar>, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
  return exchange.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private func watchRequest(
  context: UnsafeMutableRawPointer?, remoteAddress: UnsafeMutablePointer<CChar>?,
  localAddress: UnsafeMutablePointer<CChar>?, remotePort: Int32, localPort: Int32
) -> Int32 {
  guard let context else { return CURL_PREREQFUNC_ABORT }
  Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue().noteConnection()
  return CURL_PREREQFUNC_OK
}
