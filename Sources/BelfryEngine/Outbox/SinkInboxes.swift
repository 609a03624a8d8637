import FoundationEssentials

extension Belfry {
  /// Removes inboxes of which nothing was heard since a cut-off, except those of sinks that receive answers.
  ///
  /// The inbox of a sink that was switched off stays that long: switched on again, the sink goes on where it was.
  func removeInboxes(exceptOf sinks: [ActiveSink], changedBefore cutoff: Date) throws {
    let names = Set(sinks.filter { $0.sink.replySource != nil }.map(\.name))
    let over = try store.read { try $0.inboxes() }.filter { $0.changedAt < cutoff && !names.contains($0.sink) }
    guard !over.isEmpty else { return }
    try store.write { transaction in for inbox in over { try transaction.removeInbox(ofSink: inbox.sink) } }
  }
}
