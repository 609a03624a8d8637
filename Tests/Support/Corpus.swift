import Foundation
import OrderedJSON

/// Test inputs from other projects, in `BELFRY_CORPUS` or `../shared/corpus` beside the checkout: more of what the
/// tests have of their own. There is none if `BELFRY_CORPUS` is empty, or if it is not set and the folder does not
/// exist.
package enum Corpus {
  private static let root =
    ProcessInfo.processInfo.environment["BELFRY_CORPUS"].map { URL(fileURLWithPath: $0.isEmpty ? "/dev/null" : $0) }
    ?? Checkout.root.deletingLastPathComponent().appending(path: "shared/corpus")

  package static let isThere = FileManager.default.fileExists(atPath: root.appending(path: ".").path)

  /// Calendars: our own, and those of other programs.
  package static let calendars = own("Calendars") + files(in: "ics", ending: ".ics")

  /// Exports of Taskwarrior: our own, where a name says which must be refused, and those of its own tests.
  package static let taskwarrior = own("Taskwarrior") + files(in: "taskwarrior", ending: ".json")

  private static func own(_ kind: String) -> [URL] {
    let folder = Checkout.file("Tests/Support/\(kind)")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appending(path: $0) }
  }

  /// A file or a folder.
  package static func file(_ path: String) -> URL { root.appending(path: path) }

  /// The files below a folder with one of these endings, in alphabetical order; empty if the folder does not exist.
  package static func files(in folder: String, ending endings: String...) -> [URL] {
    let folder = file(folder)
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return names.filter { name in endings.contains { name.hasSuffix($0) } }.sorted().map { folder.appending(path: $0) }
  }

  /// The values of a file with one JSON value on each line; none without a corpus.
  package static func values(_ path: String) throws -> [JSONValue] {
    guard isThere else { return [] }
    let text = try String(contentsOf: file(path), encoding: .utf8)
    return try text.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
  }

  /// Texts that try to add a header field, a recipient or a command.
  package static func injections() throws -> [String] {
    try ownInjections + values("mime/header_injection_values.jsonl").compactMap { $0["value"]?.stringValue }
  }

  private static let ownInjections = [
    "Milk\r\nBcc: thief@example.org", "Milk\nBcc: thief@example.org", "Milk\rBcc: thief@example.org",
    "Milk\r\n\r\n<b>another body</b>", "Milk\r\n.\r\nMAIL FROM:<a@example.org>", "Milk\r\n Cc: folded@example.org",
    "Milk\r\n\tCc: folded@example.org", "\r\nSubject: the first line", "the last line\r\n", "\n\nX-Blank: 1",
    "a\0b\r\nX-Zero: 1",
    "a\u{0B}X-Tab: 1", "a\u{0C}X-Page: 1", "a\u{85}X-Next: 1", "a\u{2028}X-Line: 1", "a\u{2029}X-Paragraph: 1",
    "\u{7F}\r\nX-Deleted: 1", "me@example.org>\r\nRCPT TO:<thief@example.org", "=?utf-8?Q?x=0D=0ABcc:_thief?=\r\nX: 1",
    "Content-Type: text/html\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n",
  ]
}
