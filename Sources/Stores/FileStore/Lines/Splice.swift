/// What a section of a new file consists of.
enum SectionPiece<Key> {
  /// Records of the old file, as they stand there.
  case copied(Range<Int>)
  /// A record that is written anew.
  case written(Key)
}

/// Changes to a section of lines: which of them go, and what comes where.
struct Splice<Key> {
  private enum Cut {
    case insertion(at: Int, RecordPlace, Key)
    case removal(Range<Int>)

    // What is inserted before a line that goes stands before it.
    var order: (Int, Int) {
      switch self {
      case .insertion(let offset, _, _): (offset, 0)
      case .removal(let range): (range.lowerBound, 1)
      }
    }
  }

  private var cuts: [Cut] = []

  /// Takes a line away.
  mutating func remove(_ line: Range<Int>) { cuts.append(.removal(line)) }

  /// Writes a record at its place, which starts at this offset.
  mutating func insert(_ key: Key, _ place: RecordPlace, at offset: Int) {
    cuts.append(.insertion(at: offset, place, key))
  }

  /// The section after the changes.
  ///
  /// - Parameter separator: how many bytes stand between two records.
  func pieces(of body: Range<Int>, separator: Int) -> [SectionPiece<Key>] {
    var pieces: [SectionPiece<Key>] = []
    var copied = body.lowerBound
    func copy(upTo offset: Int) {
      let end = offset == body.upperBound ? offset : offset - separator
      if copied < end { pieces.append(.copied(copied..<end)) }
    }
    for cut in cuts.sorted(by: Self.isBefore) {
      switch cut {
      case .insertion(let offset, _, let key):
        copy(upTo: offset)
        copied = max(copied, offset)
        pieces.append(.written(key))
      case .removal(let line):
        copy(upTo: line.lowerBound)
        copied = min(line.upperBound + separator, body.upperBound)
      }
    }
    if copied < body.upperBound { pieces.append(.copied(copied..<body.upperBound)) }
    return pieces
  }

  private static func isBefore(_ one: Cut, _ other: Cut) -> Bool {
    if case .insertion(let offset, let place, _) = one, case .insertion(offset, let otherPlace, _) = other {
      return place < otherPlace
    }
    return one.order < other.order
  }
}
