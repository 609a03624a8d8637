import BelfryModel
import CCurl
import Transport

/// An HTTP request in flight.
final class HTTPExchange: Exchange {
  /// A request to send or a connection to probe.
  enum Work: Sendable {
    case send(HTTPRequest)
    /// Connects, TLS included.
    case probe(url: String, TransferOptions)
  }

  /// An unparsed answer, which is not parsed on the loop's thread.
  struct Answer: Sendable {
    let status: Int
    let head: [UInt8]
    let body: [UInt8]
  }

  /// The most bytes of headers, interim answers included.
  private static let maximumHead = 131_072
  static let keptConnections = 64

  let easy: EasyHandle
  private let fields = FieldList()
  private let body = RawBuffer()
  private var listener: DialogueListener?
  private var isProbe = false
  private var head: [UInt8] = []
  private var headCount = 0
  private var kept: [UInt8] = []
  private var bodyCount = 0

  init(sockets: SocketSet) throws(TransferFailure) { easy = try EasyHandle() }

  static func options(of work: Work) -> TransferOptions {
    switch work {
    case .send(let request): request.options
    case .probe(_, let options): options
    }
  }

  func prepare(_ work: Work, _ ticket: Ticket) throws(TransferFailure) {
    let options = Self.options(of: work)
    easy.begin(protocols: "http,https", options)
    // HTTP/2 over TLS where it is offered, HTTP/1.1 everywhere else.
    easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    let context = Unmanaged.passUnretained(self).toOpaque()
    easy.record(belfry_curl_set_receivers(easy.raw, receiveHead, receiveBody, context))
    if let trace = options.trace {
      let listener = DialogueListener(trace)
      self.listener = listener
      listener.listen(to: easy)
    }
    switch work {
    case .send(let request): set(request)
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
    guard code == CURLE_OK || isOverlong || isAnsweredEarly(code) else { throw easy.failure(code) }
    let status = easy.number(CURLINFO_RESPONSE_CODE)
    guard (100...599).contains(status) else {
      throw TransferFailure(.protocolViolation, "the answer's status is \(status)")
    }
    return Answer(status: status, head: head, body: kept)
  }

  // A server that answers before it has the whole request may close the stream, and the answer is valid (RFC 9113
  // section 8.1, RFC 9112 section 9.5). libcurl reports a failure.
  private func isAnsweredEarly(_ code: CURLcode) -> Bool {
    let isOurSide = code == CURLE_SEND_ERROR || code == CURLE_HTTP2_STREAM
    return isOurSide && head.suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A] && easy.number(CURLINFO_RESPONSE_CODE) >= 200
  }

  // Before the first byte of the request the server cannot have accepted anything.
  func failure(after limit: Duration) -> TransferFailure {
    easy.number(CURLINFO_REQUEST_SIZE) == 0 ? .unconnected(limit) : .timedOut(limit)
  }

  func finish() {
    listener = nil
    isProbe = false
    head = []
    headCount = 0
    kept = []
    bodyCount = 0
  }

  fileprivate func appendHead(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headCount += bytes.count
    guard headCount <= Self.maximumHead else { return false }
    // The status line of another answer after an interim one; the last answer counts.
    if bytes.starts(with: "HTTP/".utf8) { head.removeAll(keepingCapacity: true) }
    if head.isEmpty { head.reserveCapacity(512) }
    head.append(contentsOf: bytes)
    return true
  }

  fileprivate func appendBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bodyCount += bytes.count
    let room = HTTPResponse.keptBody - kept.count
    if room > 0 { kept.append(contentsOf: bytes.prefix(room)) }
    return bodyCount <= HTTPResponse.maximumBody
  }
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
  return exchange.appendBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

extension HTTPResponse {
  /// Parses an answer.
  init(_ answer: HTTPExchange.Answer) {
    var fields: [HTTPField] = []
    answer.head.withUnsafeBytes { head in
      // Skips the status line.
      var rest = head.drop { !isLineEnd($0) }
      while !rest.isEmpty {
        let line = rest.prefix { !isLineEnd($0) }
        fields.appendField(line)
        rest = rest[line.endIndex...].dropFirst()
      }
    }
    self.init(status: answer.status, fields: fields, body: answer.body)
  }
}

private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

extension [HTTPField] {
  fileprivate mutating func appendField(_ line: Slice<UnsafeRawBufferPointer>) {
    let isFolded = line.first.map { $0 == 0x20 || $0 == 0x09 } ?? false
    if isFolded, let last = popLast() {
      // A folded line (RFC 9112 section 5.2).
      append(HTTPField(last.name, "\(last.value) \(Self.trimmed(line))"))
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      append(HTTPField(String(decoding: line[..<colon], as: UTF8.self), Self.trimmed(line[(colon + 1)...])))
    }
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let start = bytes.drop(while: isBlank)
    let end = start.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start.startIndex
    return String(decoding: start[..<end], as: UTF8.self)
  }
}
