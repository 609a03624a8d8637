import BelfryEngine
import BelfryModel
import WebAccess

/// The items that hold some words, of all lists.
struct SearchPage: Sendable {
  /// The most items that it shows.
  static let most = 200

  let words: String
  let items: [ItemListing]
  let hasMore: Bool
  let time: PageTime
  let scope: AccessScope
  let path: String

  func add(to body: inout HTML) {
    body.markup("<h1>Search</h1>\n")
    guard !words.isEmpty else { return addForm(to: &body) }
    body.live("found") { body in
      let count = items.count == 1 ? "1 item" : "\(items.count) items"
      body.paragraph(
        items.isEmpty ? "No item holds these words." : hasMore ? "The first \(count):" : "\(count):",
        ["class": "facts"])
      guard !items.isEmpty else { return }
      if scope.includes(.answer) {
        body.markup("<span hidden id=\"say-check\">Check</span><span hidden id=\"say-uncheck\">Uncheck</span>")
        body.markup("<span hidden id=\"say-more\">More for</span>\n<form method=\"post\">")
        body.hidden("back", path)
      }
      body.markup("<ul class=\"items\">\n")
      for listing in items {
        var row = ItemRow(listing, time, scope)
        row.showsList = true
        row.add(to: &body)
      }
      body.markup("</ul>\n")
      if scope.includes(.answer) { body.markup("</form>\n") }
    }
  }

  private func addForm(to body: inout HTML) {
    body.element("form", ["class": "line", "role": "search", "action": "/search"]) { body in
      var field = Field("q", "Words in texts and notes", value: "")
      field.hasFocus = true
      field.add(to: &body)
      body.markup("<button class=\"main\">Search</button>\n")
    }
  }
}

/// A search for words, without regard to case.
struct WordSearch {
  private let words: [[UInt8]]

  init(_ text: String) {
    words = text.split(whereSeparator: \.isWhitespace).map { Array(Checklist.nameKey(String($0)).utf8) }
  }

  /// True if there is nothing to search for.
  var isEmpty: Bool { words.isEmpty }

  /// True if each word is in the text or the notes of an item.
  func finds(_ item: Item) -> Bool {
    let texts = [item.text, item.notes].compactMap(\.self).map { Array(Checklist.nameKey($0).utf8) }
    return words.allSatisfy { word in texts.contains { Self.contains($0, word) } }
  }

  private static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    guard let first = word.first, text.count >= word.count else { return word.isEmpty }
    return text.withUnsafeBufferPointer { text in
      (0...(text.count - word.count)).contains { start in
        text[start] == first && text[start..<(start + word.count)].elementsEqual(word)
      }
    }
  }
}
