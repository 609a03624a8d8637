import BelfryModel
import CCurl
import Transport

/// A mail composed by libcurl's MIME API, with its envelope; must live as long as its transfer.
///
/// Text and HTML are alternatives, the better one last (RFC 2046 section 5.1.4); attachments follow them.
final class ComposedMail {
  private let mail: Mail
  private let root: OpaquePointer
  private let fields = FieldList()
  private var recipient: UnsafeMutablePointer<curl_slist>?
  private var failed = CURLE_OK

  /// - Throws: ``TransferFailure`` `.unsendable`.
  init(_ mail: Mail, for easy: EasyHandle) throws(TransferFailure) {
    guard let root = curl_mime_init(easy.raw) else { throw Self.outOfMemory }
    self.mail = mail
    self.root = root
    try compose(for: easy)
    guard failed == CURLE_OK else { throw TransferFailure(.unsendable, easy.reason(failed)) }
  }

  deinit {
    curl_mime_free(root)
    curl_slist_free_all(recipient)
  }

  /// Sets the mail as the content of a transfer.
  func attach(to easy: EasyHandle) {
    recipient = curl_slist_append(nil, mail.recipient)
    easy.set(CURLOPT_MAIL_FROM, mail.sender)
    easy.set(CURLOPT_MAIL_RCPT, pointer: recipient)
    var lines = mail.fields.map { field in
      (name: field.name, separator: ": " as StaticString, value: HeaderFolding.folded(field))
    }
    // Without this header the outermost part is always multipart/mixed.
    let type = mail.attachments.isEmpty ? "multipart/alternative" : "multipart/mixed"
    lines.append((name: "Content-Type", separator: ": ", value: type))
    lines.append((name: "MIME-Version", separator: ": ", value: "1.0"))
    easy.set(CURLOPT_HTTPHEADER, pointer: fields.fill(lines))
    easy.set(CURLOPT_MIMEPOST, pointer: UnsafeMutableRawPointer(root))
  }

  private func compose(for easy: EasyHandle) throws(TransferFailure) {
    if mail.attachments.isEmpty { return try addAlternatives(to: root) }
    guard let alternatives = curl_mime_init(easy.raw) else { throw Self.outOfMemory }
    do throws(TransferFailure) {
      let part = try part(of: root)
      try addAlternatives(to: alternatives)
      record(curl_mime_subparts(part, alternatives))
      record(curl_mime_type(part, "multipart/alternative"))
    } catch {
      curl_mime_free(alternatives)
      throw error
    }
    for attachment in mail.attachments {
      let part = try part(of: root)
      set(attachment.content, of: part)
      record(curl_mime_type(part, attachment.contentType))
      record(curl_mime_filename(part, attachment.name))
      record(curl_mime_encoder(part, "base64"))
    }
  }

  private func addAlternatives(to mime: OpaquePointer) throws(TransferFailure) {
    try add(mail.text, "text/plain; charset=UTF-8", to: mime)
    if let html = mail.html { try add(html, "text/html; charset=UTF-8", to: mime) }
  }

  private func add(_ text: String, _ type: String, to mime: OpaquePointer) throws(TransferFailure) {
    let part = try part(of: mime)
    let lines = MailLines(text)
    record(curl_mime_type(part, type))
    // A text that needs no encoding stays readable in the source, and encoding takes time.
    guard lines.needsEncoding else {
      set(lines.bytes, of: part)
      return record(curl_mime_encoder(part, "7bit"))
    }
    set(QuotedPrintable.encoded(lines.bytes), of: part)
    // The part frees the list.
    record(curl_mime_headers(part, curl_slist_append(nil, "Content-Transfer-Encoding: quoted-printable"), 1))
  }

  // libcurl copies the bytes.
  private func set(_ bytes: [UInt8], of part: OpaquePointer) {
    bytes.withUnsafeBytes { buffer in
      // With a null pointer libcurl makes no part.
      let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      record(start.map { curl_mime_data(part, $0, buffer.count) } ?? curl_mime_data(part, "", 0))
    }
  }

  private func part(of mime: OpaquePointer) throws(TransferFailure) -> OpaquePointer {
    guard let part = curl_mime_addpart(mime) else { throw Self.outOfMemory }
    return part
  }

  private func record(_ code: CURLcode) {
    if failed == CURLE_OK { failed = code }
  }

  private static let outOfMemory = TransferFailure(.unsendable, "libcurl is out of memory")
}
