extension Belfry {
  /// Removes the inboxes of sinks that are no longer enabled.
  func removeInboxes(exceptOf sinks: [ActiveSink]) throws {
    let names = Set(sinks.map(\.name))
    let over = try store.read { try $0.inboxes() }.map(\.sink).filter { !names.contains($0) }
    guard !over.isEmpty else { return }
    try store.write { transaction in for sink in over { try transaction.removeInbox(ofSink: sink) } }
  }
}
