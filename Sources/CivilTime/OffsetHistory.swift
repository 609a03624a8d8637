/// The offsets that clocks have over a span of time.
package struct OffsetHistory: Hashable, Sendable {
  /// Seconds after 1970-01-01T00:00Z.
  package let span: ClosedRange<Int>
  /// Seconds east of UTC at the start of the span.
  package let first: Int
  /// The changes after the start, in order; each is to another offset than the one before.
  package let changes: [OffsetChange]

  /// The history of an offset and the changes that follow, in order; changes to the present offset are left out.
  package init(over span: ClosedRange<Int>, first: Int, changes: [OffsetChange]) {
    (self.span, self.first) = (span, first)
    var offset = first
    self.changes = changes.filter { change in
      defer { offset = change.offset }
      return change.offset != offset
    }
  }

  /// The history up to its last change; `nil` without changes.
  package var throughLastChange: OffsetHistory? {
    changes.last.map { OffsetHistory(over: span.lowerBound...$0.at, first: first, changes: changes) }
  }
}

extension Zone {
  /// The offsets of the zone's clocks over a span of seconds after 1970-01-01T00:00Z.
  package func offsets(over span: ClosedRange<Int>) -> OffsetHistory {
    OffsetHistory(
      over: span, first: rules.type(at: span.lowerBound).offset,
      changes: rules.changes(after: span.lowerBound, through: span.upperBound))
  }
}
