/// A search for words, without regard to case: `milk #Home @shop !high`.
package struct WordSearch {
  /// A tag, or a word that begins like one.
  private struct Tag {
    let key: String
    let word: [UInt8]
  }

  private var words: [[UInt8]] = []
  private var tags: [Tag] = []
  private var priority: ItemPriority.Level?
  private var lists: Set<String> = []

  /// A search for each word of a text: `@tag` for items with that tag, or the word itself; `!high` for those
  /// of that priority; `#List` for those of the list.
  ///
  /// - Parameter lists: the names of the lists that the text can name, asked for only if it has a `#`. A `#` without a
  ///   list is part of a word.
  package init(_ text: String, lists: () throws -> [String]) rethrows {
    let keys = text.contains("#") ? Set(try lists().map(Checklist.nameKey)) : []
    var seen: Set<String> = []
    var rest = text.split(whereSeparator: \.isWhitespace).map { Checklist.nameKey(String($0)) }[...]
    while let word = rest.first {
      if word.first == "#", let count = Self.wordsOfList(at: rest, among: keys) {
        self.lists.insert(Self.name(rest.prefix(count)))
        rest = rest.dropFirst(count)
        continue
      }
      rest = rest.dropFirst()
      // A word that is repeated is searched for once, since a text may have thousands of words.
      guard seen.insert(word).inserted else { continue }
      if word.first == "!", let level = ItemPriority.Level(rawValue: String(word.dropFirst())) {
        priority = level
      } else if word.first == "@", word.count > 1 {
        tags.append(Tag(key: String(word.dropFirst()), word: Array(word.utf8)))
      } else {
        words.append(Array(word.utf8))
      }
    }
  }

  /// True if there is nothing to search for.
  package var isEmpty: Bool { words.isEmpty && tags.isEmpty && lists.isEmpty && priority == nil }

  /// True if the item is on one of the lists, has the priority and each tag, and each word is in its text or its notes.
  package func finds(_ listing: ItemListing) -> Bool {
    guard lists.isEmpty || lists.contains(Checklist.nameKey(listing.listName)) else { return false }
    let item = listing.item
    guard priority == nil || item.priority?.level == priority else { return false }
    let wanted = words + tags.filter { !item.tags.contains($0.key) }.map(\.word)
    guard !wanted.isEmpty else { return true }
    let texts = [item.text, item.notes].compactMap(\.self).map { Array(Checklist.nameKey($0).utf8) }
    return wanted.allSatisfy { word in texts.contains { Self.contains($0, word) } }
  }

  /// The number of words of the longest name of a list that they begin with.
  private static func wordsOfList(at words: ArraySlice<String>, among keys: Set<String>) -> Int? {
    guard !keys.isEmpty else { return nil }
    return (1...min(words.count, mostWords)).last { keys.contains(name(words.prefix($0))) }
  }

  private static let mostWords = 10

  private static func name(_ words: ArraySlice<String>) -> String {
    String(words.joined(separator: " ").dropFirst())
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
