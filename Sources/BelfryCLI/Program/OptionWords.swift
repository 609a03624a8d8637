import ArgumentParser
import CivilTime
import OrderedJSON

/// The words of a command line, rewritten so that the argument parser finds the value of each option.
///
/// The parser compares Characters, so it misses a `=` followed by a combining mark, and it reads a value that starts
/// with a hyphen as an option.
struct OptionWords {
  /// The words for the parser.
  private(set) var words: [String]
  private let given: [String]

  /// The words of a command line.
  init(_ words: [String]) {
    given = words
    self.words = words
    // Listing the options takes longer than most commands.
    var last: String?
    for word in words {
      if word == "--" { return }
      if Self.isDisguised(word, behind: last) {
        rewrite()
        return
      }
      last = word
    }
  }

  /// The way to write an option whose value was read as another option; `nil` if there is none.
  static func advice(_ words: [String]) -> String? {
    let names = names(of: words)
    for (word, value) in zip(words, words.dropFirst()) {
      guard word != "--" else { return nil }
      if value.utf8.first == hyphen, value.utf8.count > 1, value != "--", let long = names[word] {
        return "\(long)=\(value.shellQuoted)"
      }
    }
    return nil
  }

  private mutating func rewrite() {
    let names = Self.names(of: given)
    words = []
    var rest = given[...]
    while let word = rest.popFirst() {
      if word == "--" {
        words += [word] + rest
        return
      } else if let (name, value) = Self.parts(word), names[name] != nil {
        words += [name, value]
      } else if let value = rest.first, Self.isNoOption(value), let long = names[word] {
        words.append("\(long)=\(value)")
        rest.removeFirst()
      } else {
        words.append(word)
      }
    }
  }

  private static let hyphen = UInt8(ascii: "-")

  private static func isDisguised(_ word: String, behind last: String?) -> Bool {
    parts(word) != nil || (isNoOption(word) && last?.utf8.first == hyphen)
  }

  /// The name and value of an option whose `=` makes one Character with the start of the value.
  private static func parts(_ word: String) -> (name: String, value: String)? {
    guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")), word.utf8.starts(with: "--".utf8),
      word.firstIndex(of: "=") != sign
    else { return nil }
    return (String(word[..<sign]), String(Substring(word.utf8[sign...].dropFirst())))
  }

  /// True if a word starts with a hyphen, but is not an option: `- milk`, `-5`.
  private static func isNoOption(_ word: String) -> Bool {
    let second = word.utf8.dropFirst().first ?? hyphen
    let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= second | 0x20
    return word.utf8.first == hyphen && second != hyphen && !isLetter
  }

  /// The long name of each option that takes a value, or its short one if it has no other, by each of its names.
  private static func names(of words: [String]) -> [String: String] {
    var names: [String: String] = [:]
    for argument in CommandParameters.arguments(of: NamedCommand(words).command)
    where argument["kind"]?.stringValue == "option" {
      let own = CommandParameters.names(of: argument)
      let long = own.first { $0.utf8.starts(with: "--".utf8) } ?? own.first
      for name in own { names[name] = long }
    }
    return names
  }
}
