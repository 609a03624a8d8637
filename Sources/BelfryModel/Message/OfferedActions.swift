/// The actions of messages, with their JSON: encoded once for all messages that offer the same.
public struct OfferedActions: Sendable {
  let actions: [OfferedAction]
  /// A JSON array in UTF-8.
  let bytes: [UInt8]
  /// The offset of the end of each action in the JSON, at which a webhook's body has its token.
  let tokenOffsets: [Int]

  /// The actions in the order of their buttons.
  public init(_ actions: [OfferedAction]) {
    let output = JSONRecordOutput(capacity: 512)
    var tokenOffsets: [Int] = []
    // The output accepts every value of an action.
    try? output.write(count: actions.count) { index in
      try OfferedAction.form.write(actions[index], to: output)
      tokenOffsets.append(output.count - 1)
    }
    (self.actions, bytes, self.tokenOffsets) = (actions, output.bytes, tokenOffsets)
  }
}

extension [OfferedAction] {
  /// The places of the actions, in the order in which a small display shows them.
  package var placesForSmallDisplays: [Int] {
    indices.filter { self[$0].isMinimal } + indices.filter { !self[$0].isMinimal }
  }
}
