import CCurl
import Transport

/// An easy handle of libcurl: the options and state of one transfer at a time. Belongs to one thread.
final class EasyHandle {
  let raw: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private var failed = CURLE_OK

  /// - Throws: ``TransferFailure`` `.unsendable` if there is no memory.
  init() throws(TransferFailure) {
    guard let raw = curl_easy_init() else { throw TransferFailure(.unsendable, "libcurl is out of memory") }
    self.raw = raw
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(raw)
    errorText.deallocate()
  }

  /// Resets every option and sets the options of all transfers; connections are kept.
  func begin(protocols: String, _ options: TransferOptions) {
    curl_easy_reset(raw)
    failed = CURLE_OK
    errorText[0] = 0
    set(CURLOPT_ERRORBUFFER, pointer: errorText)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    // A pending name lookup must not block a transfer that was cancelled.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_PROTOCOLS_STR, protocols)
    // The system's authorities remain, since they are CURLOPT_CAPATH.
    if let file = options.caFile { set(CURLOPT_CAINFO, file) }
    if let file = options.clientCertificate { set(CURLOPT_SSLCERT, file) }
    if let file = options.clientKey { set(CURLOPT_SSLKEY, file) }
    // Without a passphrase OpenSSL asks for one on the terminal, and waits.
    set(CURLOPT_KEYPASSWD, "")
  }

  func set(_ option: CURLoption, _ value: Int) { record(belfry_curl_set_number(raw, option, value)) }

  func set(_ option: CURLoption, _ value: String) { record(belfry_curl_set_text(raw, option, value)) }

  func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) {
    record(belfry_curl_set_pointer(raw, option, pointer))
  }

  /// Remembers the first option that libcurl refused.
  func record(_ code: CURLcode) {
    if failed == CURLE_OK { failed = code }
  }

  /// - Throws: ``TransferFailure`` `.unsendable` if libcurl has refused an option since ``begin(protocols:_:)``.
  func check() throws(TransferFailure) {
    guard failed == CURLE_OK else { throw TransferFailure(.unsendable, reason(failed)) }
  }

  /// libcurl's reason for the end of the transfer.
  func reason(_ code: CURLcode) -> String {
    if code == CURLE_ABORTED_BY_CALLBACK { return "the connection was lost, and another one opened too late" }
    return errorText[0] == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorText)
  }

  /// A number from the transfer's information.
  func number(_ info: CURLINFO) -> Int { belfry_curl_number(raw, info) }

  /// The failure for one of libcurl's codes.
  func failure(_ code: CURLcode) -> TransferFailure {
    let reason = reason(code)
    return TransferFailure(kind(code, reason), reason)
  }

  private func kind(_ code: CURLcode, _ reason: String) -> TransferFailure.Kind {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_PROXY:
      .unreachable
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
      CURLE_USE_SSL_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_LOGIN_DENIED:
      .untrusted
    case CURLE_OPERATION_TIMEDOUT:
      .timedOut
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_FILESIZE_EXCEEDED,
      CURLE_WRITE_ERROR:
      .protocolViolation
    case CURLE_URL_MALFORMAT, CURLE_NOT_BUILT_IN, CURLE_READ_ERROR, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION,
      CURLE_OUT_OF_MEMORY:
      .unsendable
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR:
      switch number(CURLINFO_HTTP_CONNECTCODE) {
      // The proxy refused before anything was sent.
      case 401, 403, 407: .untrusted
      case 300...: .unreachable
      // With TLS 1.3 the server's refusal of our certificate arrives after the handshake.
      default:
        reason.contains("alert")
          ? .untrusted : reason.hasPrefix("Too large response headers") ? .protocolViolation : .interrupted
      }
    default:
      .interrupted
    }
  }
}
