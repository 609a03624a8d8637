/// The zone of an item's wall-clock times.
public enum ItemZone: Hashable, Sendable, CustomStringConvertible {
  /// The zone of the config, or else the machine's.
  case floating
  /// An IANA zone, such as `Europe/Zurich`, in its canonical spelling.
  case fixed(String)

  /// The zone written as `floating` (in upper or lower case) or as an IANA name, which is not checked here.
  package init(_ text: String) {
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
