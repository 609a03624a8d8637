import Foundation

/// A whole reply of the web face.
struct WebReply: Equatable {
  let status: Int
  /// The fields, with their names in lower case.
  let fields: [String: String]
  let body: String

  /// The reply that curl has printed; `nil` if it is not whole.
  init?(_ outcome: Outcome) {
    guard outcome.isDone, let end = outcome.output.firstRange(of: "\r\n\r\n") else { return nil }
    let lines = outcome.output[..<end.lowerBound].split(separator: "\r\n")
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
    self.status = status
    let pairs = lines.dropFirst().compactMap { line in
      line.firstIndex(of: ":").map { (line[..<$0].lowercased(), String(line[$0...].dropFirst(2))) }
    }
    fields = Dictionary(pairs) { "\($0), \($1)" }
    body = String(outcome.output[end.upperBound...])
  }

  /// The heading and the words of a page about the press; the rest of it changes with time.
  var notice: String? {
    body.firstMatch(of: #/<div class="notice" role="status"><h2[^>]*>(.*?)<\/h2>\n<p[^>]*>(.*?)<\/p>/#).map {
      "\($0.1): \($0.2)"
    }
  }
}

extension RunningWebFace {
  /// The forms in which a reply is asked for.
  enum Form: String {
    case json = "application/json"
    case page = "text/html"
  }

  /// The reply to a GET; `nil` if it was not complete.
  func get(_ path: String, as form: Form = .page) async throws -> WebReply? {
    try await request(path, ["-H", "Accept: \(form.rawValue)"])
  }

  /// The reply to a POST; `nil` if it did not come whole.
  ///
  /// - Parameters:
  ///   - fields: the fields of a form, such as `latest=1`.
  ///   - headers: more header fields.
  func post(
    _ path: String, _ fields: String = "", as form: Form = .json, headers: [String] = []
  ) async throws -> WebReply? {
    let headers = (["Accept: \(form.rawValue)"] + headers).flatMap { ["-H", $0] }
    return try await request(path, ["-X", "POST"] + headers + (fields.isEmpty ? [] : ["-d", fields]))
  }

  private func request(_ path: String, _ options: [String]) async throws -> WebReply? {
    // Not in the queue of programs: who presses at the same moment does not wait for others.
    let words = ["curl", "-sSi", "--max-time", "300"] + options + [url + path]
    return WebReply(try await box.run(words, RunOptions(isUrgent: true)))
  }
}
