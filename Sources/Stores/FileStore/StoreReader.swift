import BelfryModel
import FoundationEssentials
import MemoryStore

/// Builds a state from the records of a file, and checks that they are consistent.
package struct StoreReader {
  var state = StoreState()
  private var layout = StoreLayout()
  var head: RawRecord
  let reader: RecordReader
  private let writtenAt: Date
  private var endPositions: [Int64: Int64] = [:]
  private var listIDs: [String: Int64] = [:]
  private var listUUIDs: Set<UUID> = []
  private var itemIDs: [UUID: Int64] = [:]
  private var itemKeys: [[UInt8]: Int64] = [:]
  private var lastList: (name: String, id: Int64)?

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - likelyItems: the expected number of items, to reserve memory.
  ///   - writtenAt: the file's modification time, for records that have no date of their own.
  ///   - scan: makes the scanner of a text.
  /// - Throws: ``FormFault`` for the first invalid record or value.
  package static func read(
    _ text: [UInt8], likelyItems: Int, writtenAt: Date, scan: (UnsafeRawBufferPointer) -> any RecordScanner
  ) throws(FormFault) -> StoreContent {
    let content = text.withUnsafeBytes { bytes in
      Result { () throws(FormFault) in
        let scanner = scan(bytes)
        var reader = StoreReader(scanner, likelyItems: likelyItems, writtenAt: writtenAt)
        try reader.readStore(scanner)
        return reader.content(text)
      }
    }
    return try content.get()
  }

  private init(_ scanner: any RecordScanner, likelyItems: Int, writtenAt: Date) {
    self.writtenAt = writtenAt
    reader = RecordReader(scanner)
    head = RawRecord(StoreHead.kind)
    state.items.reserveCapacity(likelyItems)
    state.reminders.reserveCapacity(likelyItems)
    itemIDs.reserveCapacity(likelyItems)
  }

  private consuming func content(_ text: [UInt8]) -> StoreContent {
    var indexes = StateIndexes()
    (indexes.itemsByUUID, indexes.itemsByKey) = (itemIDs, itemKeys)
    indexes.endPositions = endPositions
    layout.text = text
    return StoreContent(state: state, indexes: indexes, layout: layout)
  }

  // MARK: The file

  private mutating func readStore(_ start: any RecordScanner) throws(FormFault) {
    var scanner = start
    var waiting: [(StoreHead.Field, any RecordScanner)] = []
    try scanner.enterStore()
    while let index = try scanner.nextField(of: StoreHead.kind), let field = StoreHead.Field(rawValue: index) {
      let start = scanner.index
      if let needed = field.needed, head.values[needed.rawValue].kind == .missing {
        // A user may have moved sections, so each is read after the one that its records refer to.
        waiting.append((field, scanner))
        _ = try scanner.value()
      } else if field.isSection {
        try readSection(field, &scanner)
      } else {
        try set(field, scanner.value(), scanner)
        try readHead(field)
        continue
      }
      try set(field, RawValue(.array, start..<scanner.index), scanner)
    }
    state.unknown = try scanner.leaveStore()
    for field in StoreHead.Field.allCases where field.isRequired && !isThere(field) {
      throw reader.missing(field.key.name, head)
    }
    for (field, scanner) in waiting {
      var scanner = scanner
      try readSection(field, &scanner)
    }
  }

  private mutating func set(
    _ field: StoreHead.Field, _ value: RawValue, _ scanner: any RecordScanner
  ) throws(FormFault) {
    if !head.set(field.rawValue, value) { throw scanner.repeated(field.rawValue, value, in: StoreHead.kind) }
  }

  func isThere(_ field: StoreHead.Field) -> Bool {
    let kind = head.values[field.rawValue].kind
    return kind != .missing && kind != .null
  }

  private mutating func readSection(
    _ field: StoreHead.Field, _ scanner: inout any RecordScanner
  ) throws(FormFault) {
    try scanner.enterSection()
    switch field {
    case .lists:
      layout.lists = try readRecords(ListRecord.self, &scanner) { reader, record, raw throws(FormFault) in
        try reader.add(record, raw)
      }
    case .items:
      layout.items = try readRecords(ItemRecord.self, &scanner) { reader, record, raw throws(FormFault) in
        try reader.add(record, raw)
      }
    case .reminders:
      layout.reminders = try readRecords(ReminderRecord.self, &scanner) { reader, record, raw throws(FormFault) in
        try reader.add(record, raw)
      }
    case .messages:
      layout.messages = try readRecords(Message.self, &scanner) { reader, record, raw throws(FormFault) in
        try reader.add(record, raw)
      }
    case .deliveries:
      layout.deliveries = try readRecords(DeliveryRecord.self, &scanner) { reader, record, raw throws(FormFault) in
        try reader.add(record, raw)
      }
    case .answers:
      layout.answers = try readRecords(AnswerRecord.self, &scanner) { reader, record, raw throws(FormFault) in
        try reader.add(record, raw)
      }
    case .format, .version, .nextID, .nextListID, .nextDeliveryID, .nextAnswerID, .nextPersonNumber, .zone, .sinks,
      .inboxes, .people, .requests:
      break
    }
  }

  private mutating func readRecords<Root: Record, Key: Hashable & Sendable>(
    _: Root.Type, _ scanner: inout any RecordScanner,
    _ add: (inout StoreReader, Root, RawRecord) throws(FormFault) -> (Key, RecordPlace)
  ) throws(FormFault) -> [StoreLayout.Entry<Key>] {
    var entries: [StoreLayout.Entry<Key>] = []
    let form = Root.form
    var raw = RawRecord(form.kind)
    while try scanner.nextRecord(&raw) {
      reader.isWhole = true
      let record = try form.read(raw, reader)
      // A record that a user left incomplete or spread over several lines is written again.
      let canBeCopied = reader.isWhole && raw.isOneLine
      let (key, place) = try add(&self, record, raw)
      entries.append(StoreLayout.Entry(key: key, place: place, range: canBeCopied ? raw.range : 0..<0))
    }
    return entries
  }

  // MARK: Records

  private mutating func add(_ record: ListRecord, _ raw: RawRecord) throws(FormFault) -> (Int64, RecordPlace) {
    let list = record.list(writtenAt: writtenAt)
    if state.lists[list.id] != nil { throw repeated("list \(list.id)", raw) }
    if !listUUIDs.insert(list.uuid).inserted { throw repeated("list \(list.uuid.text)", raw) }
    if listIDs.updateValue(list.id, forKey: Checklist.nameKey(list.name)) != nil {
      throw repeated("list \(shown(list.name))", raw)
    }
    state.lists[list.id] = list
    layout.listNames[list.id] = list.name
    state.nextListID = max(state.nextListID, list.id + 1)
    return (list.id, RecordPlace(list))
  }

  private mutating func add(_ record: ItemRecord, _ raw: RawRecord) throws(FormFault) -> (Int64, RecordPlace) {
    let listID = try listID(named: record.list ?? "", raw)
    let item = record.completed(on: listID, end: endPositions[listID] ?? 1, writtenAt: writtenAt)
    if state.items.updateValue(item, forKey: item.id) != nil { throw repeated("item \(item.id)", raw) }
    if itemIDs.updateValue(item.id, forKey: item.uuid) != nil { throw repeated("item \(item.uuid.text)", raw) }
    if let key = item.key, itemKeys.updateValue(item.id, forKey: Array(key.utf8)) != nil {
      throw repeated("item with the key \(shown(key))", raw)
    }
    state.nextItemID = max(state.nextItemID, item.id + 1)
    let end = StateTransaction.position(after: item.position)
    endPositions[listID] = max(endPositions[listID] ?? end, end)
    return (item.id, RecordPlace(item))
  }

  private mutating func listID(named name: String, _ raw: RawRecord) throws(FormFault) -> Int64 {
    if let lastList, lastList.name == name { return lastList.id }
    guard let id = listIDs[Checklist.nameKey(name)] else {
      throw reader.fault("list", raw, "there is no list \(shown(name))")
    }
    lastList = (name, id)
    return id
  }

  private mutating func add(_ record: ReminderRecord, _ raw: RawRecord) throws(FormFault) -> (UUID, RecordPlace) {
    let reminder = record.reminder
    if state.reminders.updateValue(reminder, forKey: reminder.id) != nil {
      throw repeated("reminder \(reminder.id.text)", raw)
    }
    return (reminder.id, RecordPlace(reminder))
  }

  private mutating func add(_ message: Message, _ raw: RawRecord) throws(FormFault) -> (UUID, RecordPlace) {
    if state.messages.updateValue(message, forKey: message.id) != nil {
      throw repeated("message \(message.id.text)", raw)
    }
    return (message.id, RecordPlace(message))
  }

  private mutating func add(_ record: DeliveryRecord, _ raw: RawRecord) throws(FormFault) -> (Int64, RecordPlace) {
    let (delivery, attempts) = (record.delivery, record.attempts)
    if state.deliveries.updateValue(delivery, forKey: delivery.id) != nil {
      throw repeated("delivery \(delivery.id)", raw)
    }
    guard state.messages[delivery.messageID] != nil else {
      throw reader.fault(raw, "there is no message \(delivery.messageID.text)")
    }
    state.attempts[delivery.id] = attempts.isEmpty ? nil : attempts
    state.nextDeliveryID = max(state.nextDeliveryID, delivery.id + 1)
    return (delivery.id, RecordPlace(delivery))
  }

  private mutating func add(_ record: AnswerRecord, _ raw: RawRecord) throws(FormFault) -> (Int64, RecordPlace) {
    let answer = record.answer
    if state.answers.updateValue(answer, forKey: answer.id) != nil { throw repeated("answer \(answer.id)", raw) }
    state.nextAnswerID = max(state.nextAnswerID, answer.id + 1)
    return (answer.id, RecordPlace(answer))
  }

  private func repeated(_ what: String, _ raw: RawRecord) -> FormFault {
    reader.fault(raw, "duplicate \(what)")
  }
}

extension StoreHead.Field {
  /// The section that this section's records refer to.
  fileprivate var needed: StoreHead.Field? {
    switch self {
    case .items: .lists
    case .deliveries: .messages
    default: nil
    }
  }
}
