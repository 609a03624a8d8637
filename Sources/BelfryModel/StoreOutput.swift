/// A writer of whole store files: head, sections and end, in this order.
package protocol StoreOutput: RecordOutput {
  /// The bytes of the file so far.
  var bytes: [UInt8] { get }
  /// The number of bytes so far.
  var count: Int { get }

  /// Returns the bytes written so far and removes them.
  func take() -> [UInt8]

  /// Writes the part before the sections.
  func openStore(_ head: StoreHead) throws
  func openSection(_ section: FieldKey)
  /// Separates the next record of a section from the one before.
  func separate(isFirst: Bool)
  /// Copies a record from another file.
  func copy(_ record: UnsafeRawBufferPointer)
  func closeSection(isEmpty: Bool)
  /// Ends the file, after writing its unknown fields.
  func closeStore(_ unknown: UnknownFields?) throws
}

extension JSONRecordOutput: StoreOutput {
  package func openStore(_ head: StoreHead) throws {
    append("{")
    isFirstField = true
    write(StoreHead.Field.format.key, StoreHead.format)
    write(StoreHead.Field.version.key, StoreHead.version)
    startLine()
    write(StoreHead.Field.nextID.key, head.counters.nextItemID)
    write(StoreHead.Field.nextListID.key, head.counters.nextListID)
    write(StoreHead.Field.nextDeliveryID.key, head.counters.nextDeliveryID)
    write(StoreHead.Field.nextAnswerID.key, head.counters.nextAnswerID)
    write(StoreHead.Field.nextPersonNumber.key, head.counters.nextPersonNumber)
    startLine()
    if let zone = head.counters.plannedZone {
      write(StoreHead.Field.zone.key, zone)
    } else {
      writeNull(StoreHead.Field.zone.key)
    }
    if !head.problems.isEmpty {
      startLine()
      write(StoreHead.Field.sinks.key, try head.sinks())
    }
    if !head.inboxes.isEmpty {
      startLine()
      try head.writeInboxes(to: self)
    }
    if !head.people.isEmpty {
      startLine()
      try head.writePeople(to: self)
    }
    if !head.requests.isEmpty {
      startLine()
      write(StoreHead.Field.requests.key, try head.requestTexts())
    }
  }

  package func openSection(_ section: FieldKey) {
    startLine()
    key(section)
    append("[")
  }

  package func separate(isFirst: Bool) { append(isFirst ? "\n" : ",\n") }

  package func copy(_ record: UnsafeRawBufferPointer) { record.withMemoryRebound(to: UInt8.self) { output.append($0) } }

  package func closeSection(isEmpty: Bool) { append(isEmpty ? "]" : "\n]") }

  package func closeStore(_ unknown: UnknownFields?) {
    if let unknown {
      startLine()
      append(unknown.members)
    }
    append("\n}\n")
  }

  private func startLine() {
    append(",\n")
    isFirstField = true
  }
}
