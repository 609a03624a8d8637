/// Something that was seen of real daemons: a change that they committed, a message that arrived, or a fault.
///
/// Daemons are known by their numbers among the members, deliveries and items by their ids.
package struct TraceEvent: Sendable {
  package enum Kind: Hashable, Sendable {
    case joined(member: Int, process: Int)
    /// A daemon has removed itself from the members.
    case left(member: Int)
    /// Another daemon has removed it, since its lease was over, or its process had ended.
    case evicted(member: Int, isOver: Bool)
    case led(member: Int, term: Int)
    /// The row of a sink names this member from now on; `nil` if nobody has it.
    case leased(sink: String, member: Int?, term: Int)
    /// - Parameter member: the leader, if the change held its row; `nil` otherwise.
    case claimed(delivery: Int, item: Int, sink: String, member: Int?)
    /// An update of a message was written.
    case written(delivery: Int, sink: String)
    case begun(delivery: Int, member: Int, term: Int)
    case unbegun(delivery: Int)
    /// - Parameter process: the process whose session has recorded it, as far as it is known.
    case recorded(delivery: Int, isDelivered: Bool, process: Int?)
    /// An attempt of another daemon was recorded as lost.
    case lost(delivery: Int)
    /// - Parameter cancelled: the deliveries that the same change has cancelled.
    case answered(item: Int, cancelled: [Int])
    /// A delivery was cancelled without an answer in the same change.
    case cancelled(delivery: Int)
    case arrived(delivery: Int)
    /// A process was killed, or has ended.
    case ended(process: Int)
    /// A process was stopped, and goes on later.
    case stopped(process: Int)
    case continued(process: Int)
    /// A process was told to read its config again.
    case reloaded(process: Int)
  }

  /// In seconds, as by the clock of the machine; of a change, the time of its commit.
  package let time: Double
  package let kind: Kind

  package init(time: Double, _ kind: Kind) { (self.time, self.kind) = (time, kind) }
}
