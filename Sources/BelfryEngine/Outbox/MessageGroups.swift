import BelfryModel
import CivilTime
import FoundationEssentials

/// Groups the reminders of one claim into messages: those of one minute and person, and of one list if the sink groups
/// by list.
struct MessageGroups {
  /// One reminder in a message.
  typealias Member = (reminderID: UUID, content: ReminderContent)

  /// The members of one message.
  struct Group {
    let recipient: Recipient
    let fireDate: FireDate
    var members: [Member]
  }

  private struct Key: Hashable {
    let sink: String
    let person: Int64
    let address: String?
    let fireDate: FireDate
    let list: String?
  }

  /// The groups, in the order of their first members.
  private(set) var groups: [Group] = []
  private var places: [Key: Int] = [:]

  /// Adds a reminder to its group.
  mutating func add(_ member: Member, of list: String, at fireDate: FireDate, to recipient: Recipient) {
    let sink = recipient.sink
    let key = Key(
      sink: sink.name, person: recipient.number, address: recipient.address, fireDate: fireDate,
      list: sink.sink.grouping == .list ? list : nil)
    if let place = places[key] {
      groups[place].members.append(member)
    } else {
      places[key] = groups.count
      groups.append(Group(recipient: recipient, fireDate: fireDate, members: [member]))
    }
  }
}
