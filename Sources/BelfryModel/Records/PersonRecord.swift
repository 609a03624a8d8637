extension KnownPerson: Record {
  package static let form = RecordForm<KnownPerson>(9, "person") { fields in
    fields.add("number", \.number, NumberCodec(range: 1...highestNumber))
    fields.add("name", \.name, .text)
  }

  /// A person without a number.
  package init() { self.init(number: 0, name: "") }
}
