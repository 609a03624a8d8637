import HTTPTypes

/// The forms of a reply that a client asks for (RFC 9110, section 12.5.1).
struct AcceptedForms {
  private let ranges: [(name: String, quality: Double)]

  init(_ head: HTTPRequest) {
    ranges = (head.headerFields[.accept] ?? "").lowercased().split(separator: ",").map { part in
      let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      let quality = words.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
      return (words.first ?? "", quality ?? 1)
    }
  }

  /// True if it takes JSON rather than a page.
  var prefersJSON: Bool {
    max(quality("application", "json"), quality("application", "problem+json")) > quality("text", "html")
  }

  /// True if it asks for a page by its name, as browsers do.
  var namesHTML: Bool { !prefersJSON && ranges.contains { $0.name == "text/html" && $0.quality > 0 } }

  // Without the field every type is accepted.
  private func quality(_ type: String, _ subtype: String) -> Double {
    guard !ranges.isEmpty else { return 1 }
    let names = ["\(type)/\(subtype)", "\(type)/*", "*/*"]
    return names.lazy.compactMap { name in ranges.first { $0.name == name }?.quality }.first ?? 0
  }
}
