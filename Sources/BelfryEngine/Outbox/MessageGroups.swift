import BelfryModel
import CivilTime

/// Groups the reminders of one claim into messages: one for each minute and person, and for each list if the sink
/// groups by list.
struct MessageGroups {
  /// The contents of one message.
  struct Group {
    let recipient: Recipient
    let fireDate: FireDate
    var contents: [ReminderContent]
  }

  private struct Key: Hashable {
    let sink: String
    let person: Int64
    let address: String?
    let fireDate: FireDate
    let list: String?
  }

  /// The groups, in the order of their first reminders.
  private(set) var groups: [Group] = []
  private var places: [Key: Int] = [:]

  /// Adds a reminder to its group.
  mutating func add(_ content: ReminderContent, of list: String, at fireDate: FireDate, to recipient: Recipient) {
    let sink = recipient.sink
    let key = Key(
      sink: sink.name, person: recipient.number, address: recipient.address, fireDate: fireDate,
      list: sink.sink.grouping == .list ? list : nil)
    if let place = places[key] {
      groups[place].contents.append(content)
    } else {
      places[key] = groups.count
      groups.append(Group(recipient: recipient, fireDate: fireDate, contents: [content]))
    }
  }
}
