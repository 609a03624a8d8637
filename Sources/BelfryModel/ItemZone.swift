/// The zone an item's wall time is meant in.
public enum ItemZone: Hashable, Sendable, CustomStringConvertible {
  /// Wherever the machine is.
  case floating
  /// An IANA zone, such as `Europe/Zurich`, spelt as the zone database spells it.
  case fixed(String)

  /// The zone written as `floating` (in any case) or as an IANA name, which is not looked up here.
  public init(_ text: String) {
    self = text.utf8.count == 8 && text.lowercased() == "floating" ? .floating : .fixed(text)
  }

  /// `floating` or the IANA name.
  public var description: String {
    switch self {
    case .floating: "floating"
    case .fixed(let identifier): identifier
    }
  }
}
