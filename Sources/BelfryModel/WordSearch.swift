/// A search for words, without regard to case.
package struct WordSearch {
  private let words: [[UInt8]]

  /// A search for each word of a text.
  package init(_ text: String) {
    words = text.split(whereSeparator: \.isWhitespace).map { Array(Checklist.nameKey(String($0)).utf8) }
  }

  /// True if there is nothing to search for.
  package var isEmpty: Bool { words.isEmpty }

  /// True if each word is in the text or the notes of an item.
  package func finds(_ item: Item) -> Bool {
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
