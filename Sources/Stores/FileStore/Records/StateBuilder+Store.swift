import BelfryCore

extension StateBuilder {
  /// Reads the whole file, or what stands before one of its sections.
  mutating func readStore(_ scanner: any RecordScanner, before end: HeadField? = nil) throws(StoreFault) {
    var scanner = scanner
    var head = RawRecord(HeadField.kind)
    var waiting: [(HeadField, any RecordScanner)] = []
    func set(_ field: Int, _ value: RawValue) throws(StoreFault) {
      if !head.set(field, value) { throw scanner.repeated(field, value, in: HeadField.kind) }
    }
    try scanner.enterStore()
    while let index = try scanner.nextField(of: HeadField.kind), let field = HeadField(rawValue: index) {
      if field == end { return }
      let start = scanner.index
      if let needed = field.needed, head.values[needed.rawValue].kind == .missing {
        // A hand has moved the sections: what another one refers to is read first.
        waiting.append((field, scanner))
        _ = try scanner.value()
      } else if field.isSection {
        try readSection(field, &scanner)
      } else {
        try set(index, scanner.value())
        try readHead(field, head)
        continue
      }
      try set(index, RawValue(.compound, start..<scanner.index))
    }
    layout.extras[.store] = try scanner.leaveStore()
    for field in HeadField.allCases where field.isRequired { try decoder.require(head, field) }
    for (field, scanner) in waiting {
      var scanner = scanner
      try readSection(field, &scanner)
    }
  }

  private mutating func readHead(_ field: HeadField, _ head: RawRecord) throws(StoreFault) {
    switch field {
    case .format:
      guard try decoder.text(head, field) == StoreFileMark.format else {
        throw decoder.fault(head, field, "is not one of Belfry's stores")
      }
    case .version:
      let version = try decoder.integer(head, field, in: 1...Int64.max)
      guard version <= StoreFileMark.version else { throw .newer(version: version) }
    case .nextID: state.nextItemID = max(state.nextItemID, try decoder.integer(head, field))
    case .nextListID: state.nextListID = max(state.nextListID, try decoder.integer(head, field))
    case .nextDeliveryID: state.nextDeliveryID = max(state.nextDeliveryID, try decoder.integer(head, field))
    case .zone: state.plannedZone = try decoder.optionalText(head, field)
    case .sinks: try readSinks(head)
    case .lists, .items, .reminders, .messages, .deliveries: break
    }
  }

  mutating func readSection(_ field: HeadField, _ scanner: inout any RecordScanner) throws(StoreFault) {
    try scanner.enterSection()
    decoder.forgetSymbols()
    switch field {
    case .lists:
      var record = RawRecord(ListField.kind)
      while try scanner.nextRecord(&record) { try readList(record) }
    case .items:
      var record = RawRecord(ItemField.kind)
      while try scanner.nextRecord(&record) { try readItem(record) }
    case .reminders:
      var record = RawRecord(ReminderField.kind)
      while try scanner.nextRecord(&record) { try readReminder(record) }
    case .messages:
      var record = RawRecord(MessageField.kind)
      while try scanner.nextRecord(&record) { try readMessage(record) }
    case .deliveries:
      var record = RawRecord(DeliveryField.kind)
      while try scanner.nextRecord(&record) { try readDelivery(record) }
    case .format, .version, .nextID, .nextListID, .nextDeliveryID, .zone, .sinks: break
    }
  }
}

extension HeadField {
  fileprivate var isSection: Bool { rawValue >= HeadField.lists.rawValue }

  // The counters can be made up for by what is there, but for the items', whose numbers are never used again.
  fileprivate var isRequired: Bool { ![.nextListID, .nextDeliveryID, .zone, .sinks].contains(self) }

  /// The section that records of this one refer to.
  fileprivate var needed: HeadField? {
    switch self {
    case .items: .lists
    case .deliveries: .messages
    default: nil
    }
  }
}
