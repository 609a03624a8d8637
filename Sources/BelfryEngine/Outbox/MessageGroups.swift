import BelfryModel
import CivilTime
import FoundationEssentials

/// Groups the reminders of one claim into messages: those of one minute, and of one list if the sink groups by list.
struct MessageGroups {
  /// One reminder in a message.
  typealias Member = (reminderID: UUID, content: ReminderContent)

  /// The members of one message.
  struct Group {
    let sink: ActiveSink
    let fireDate: FireDate
    var members: [Member]
  }

  private struct Key: Hashable {
    let sink: String
    let fireDate: FireDate
    let list: String?
  }

  /// The groups, in the order of their first members.
  private(set) var groups: [Group] = []
  private var places: [Key: Int] = [:]

  /// Adds a reminder to its group.
  mutating func add(_ member: Member, of list: String, at fireDate: FireDate, to sink: ActiveSink) {
    let key = Key(sink: sink.name, fireDate: fireDate, list: sink.sink.grouping == .list ? list : nil)
    if let place = places[key] {
      groups[place].members.append(member)
    } else {
      places[key] = groups.count
      groups.append(Group(sink: sink, fireDate: fireDate, members: [member]))
    }
  }
}
