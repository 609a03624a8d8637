/// Where the records of each section of a file stand: from the first byte of the first one to behind the last byte of the
/// last one, without what stands between sections.
package struct SectionTable: Hashable, Sendable {
  private static let first = HeadField.lists.rawValue
  private static let count = HeadField.allCases.count - first

  private var ranges = [Range<Int>](repeating: 0..<0, count: count)

  /// Sections without records.
  init() {}

  /// The records of a section; empty for what is none.
  subscript(section: HeadField) -> Range<Int> {
    get { section.rawValue < Self.first ? 0..<0 : ranges[section.rawValue - Self.first] }
    set { if section.rawValue >= Self.first { ranges[section.rawValue - Self.first] = newValue } }
  }

  /// The table as a line of text.
  var text: String { ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: " ") }

  /// The table that such a line holds; nil where it is none, or not one of a file of so many bytes.
  init?(_ text: some StringProtocol, fileSize: Int) {
    var ranges: [Range<Int>] = []
    for part in text.split(separator: " ") {
      let bounds = part.split(separator: "-").compactMap { Int($0) }
      guard bounds.count == 2, bounds[0] >= ranges.last?.upperBound ?? 0, bounds[0] <= bounds[1], bounds[1] <= fileSize
      else { return nil }
      ranges.append(bounds[0]..<bounds[1])
    }
    guard ranges.count == Self.count else { return nil }
    self.ranges = ranges
  }
}
