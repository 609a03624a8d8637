/// The colour by which people find a list.
public struct ListColor: Hashable, Sendable {
  /// The colours that have names.
  public static let named: [(name: String, color: ListColor)] = [
    ("red", "#e5484d"), ("orange", "#f76b15"), ("yellow", "#e2a610"), ("green", "#30a46c"), ("teal", "#12a594"),
    ("blue", "#0090ff"), ("purple", "#8e4ec6"), ("pink", "#d6409f"), ("brown", "#ad7f58"), ("gray", "#8b8d98"),
  ].map { ($0.0, ListColor(hex: $0.1)) }

  /// The colour as `#rrggbb`, in lower case.
  public let hex: String

  private init(hex: String) { self.hex = hex }

  /// Parses the name of a colour, or `#rgb`, `#rrggbb` or `#rrggbbaa`, whose opacity is dropped.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for anything else.
  public init(parsing text: String) throws(BelfryError) {
    let word = text.trimmingWhitespace().lowercased()
    if let color = Self.named.first(where: { $0.name == word })?.color {
      self = color
      return
    }
    let digits = word.dropFirst()
    guard word.hasPrefix("#"), [3, 6, 8].contains(digits.utf8.count), digits.utf8.allSatisfy(Self.isHexDigit) else {
      throw BelfryError(
        .badInput, "'\(text)' is not a colour",
        hint: "write \(Self.named.map(\.name).joined(separator: ", ")), or a colour such as #30a46c")
    }
    hex = "#" + (digits.utf8.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits.prefix(6)))
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
  }

  /// The name of the colour, or its digits if it has none.
  public var words: String { Self.named.first { $0.color == self }?.name ?? hex }
}

/// The icon of a list: one character, such as an emoji.
public struct ListIcon: Hashable, Sendable {
  private static let longest = 64

  /// The character.
  public let text: String

  /// Parses an icon.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for anything but one visible character.
  public init(parsing text: String) throws(BelfryError) {
    let text = text.trimmingWhitespace()
    guard text.count == 1, text.utf8.count <= Self.longest, text.unicodeScalars.first.map(Self.isVisible) == true else {
      throw BelfryError(.badInput, "an icon is one character, such as \u{1f6d2}")
    }
    self.text = text
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator, .spaceSeparator,
      .nonspacingMark, .enclosingMark, .spacingMark:
      false
    default: true
    }
  }
}

extension FieldCodec where Self == ParsedTextCodec<ListColor> {
  static var listColor: Self { Self(parse: ListColor.init(parsing:), text: \.hex) }
}

extension FieldCodec where Self == ParsedTextCodec<ListIcon> {
  static var listIcon: Self { Self(parse: ListIcon.init(parsing:), text: \.text) }
}
