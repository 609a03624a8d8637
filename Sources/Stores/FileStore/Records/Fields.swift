/// The fields of a list.
package enum ListField: Int, RecordField {
  case id, uuid, name, reminder, createdAt, updatedAt

  package static let kind = RecordKind(0, "list", ListField.self)

  package var name: StaticString {
    switch self {
    case .id: "id"
    case .uuid: "uuid"
    case .name: "name"
    case .reminder: "reminder"
    case .createdAt: "created_at"
    case .updatedAt: "updated_at"
    }
  }
}

/// The fields of a list's own reminder.
package enum ListReminderField: Int, RecordField {
  case dueDate, dueLocal, timeZone, message, rule, repeatStart, repeatFrom, category

  package static let kind = RecordKind(1, "list's reminder", ListReminderField.self)

  package var name: StaticString {
    switch self {
    case .dueDate: "due_date"
    case .dueLocal: "due_local"
    case .timeZone: "time_zone"
    case .message: "message"
    case .rule: "repeat"
    case .repeatStart: "repeat_start"
    case .repeatFrom: "repeat_from"
    case .category: "category"
    }
  }
}

/// The fields of an item.
package enum ItemField: Int, RecordField {
  case id, uuid, list, position, text, notes, isChecked, dueDate, dueLocal, timeZone, shouldRemind, alerts, rule
  case repeatStart, repeatFrom, lastCheckedDue, lastCheckedStart, nag, category, properties, createdAt, updatedAt,
    checkedAt

  package static let kind = RecordKind(2, "item", ItemField.self)

  package var name: StaticString {
    switch self {
    case .id: "id"
    case .uuid: "uuid"
    case .list: "list"
    case .position: "position"
    case .text: "text"
    case .notes: "notes"
    case .isChecked: "is_checked"
    case .dueDate: "due_date"
    case .dueLocal: "due_local"
    case .timeZone: "time_zone"
    case .shouldRemind: "should_remind"
    case .alerts: "alerts"
    case .rule: "repeat"
    case .repeatStart: "repeat_start"
    case .repeatFrom: "repeat_from"
    case .lastCheckedDue: "last_checked_due"
    case .lastCheckedStart: "last_checked_start"
    case .nag: "nag"
    case .category: "category"
    case .properties: "properties"
    case .createdAt: "created_at"
    case .updatedAt: "updated_at"
    case .checkedAt: "checked_at"
    }
  }
}

/// The fields of a reminder.
package enum ReminderField: Int, RecordField {
  case id, itemID, listID, dueLocal, lead, kindName, serial, fireDate, state, changedAt

  package static let kind = RecordKind(3, "reminder", ReminderField.self)

  package var name: StaticString {
    switch self {
    case .id: "reminder_id"
    case .itemID: "item_id"
    case .listID: "list_id"
    case .dueLocal: "due_local"
    case .lead: "lead"
    case .kindName: "kind"
    case .serial: "serial"
    case .fireDate: "fire_date"
    case .state: "state"
    case .changedAt: "changed_at"
    }
  }
}

/// The fields of a message.
package enum MessageField: Int, RecordField {
  case id, sink, createdAt, domain, contents

  package static let kind = RecordKind(4, "message", MessageField.self)

  package var name: StaticString {
    switch self {
    case .id: "message_id"
    case .sink: "sink"
    case .createdAt: "created_at"
    case .domain: "domain"
    case .contents: "contents"
    }
  }
}

/// The fields of a delivery.
package enum DeliveryField: Int, RecordField {
  case id, messageID, sink, recipient, state, fireDate, attempts, permittedFrom, nextAttemptAt, lastAttemptAt
  case closedAt, lastError, history

  package static let kind = RecordKind(5, "delivery", DeliveryField.self)

  package var name: StaticString {
    switch self {
    case .id: "id"
    case .messageID: "message_id"
    case .sink: "sink"
    case .recipient: "recipient"
    case .state: "state"
    case .fireDate: "fire_date"
    case .attempts: "attempts"
    case .permittedFrom: "permitted_from"
    case .nextAttemptAt: "next_attempt_at"
    case .lastAttemptAt: "last_attempt_at"
    case .closedAt: "closed_at"
    case .lastError: "last_error"
    case .history: "history"
    }
  }
}

/// The keys of the file itself.
package enum HeadField: Int, RecordField {
  case format, version, nextID, nextListID, nextDeliveryID, zone, sinks, lists, items, reminders, messages, deliveries

  package static let kind = RecordKind(6, "store", HeadField.self)

  package var name: StaticString {
    switch self {
    case .format: "format"
    case .version: "version"
    case .nextID: "next_id"
    case .nextListID: "next_list_id"
    case .nextDeliveryID: "next_delivery_id"
    case .zone: "zone"
    case .sinks: "sinks"
    case .lists: "lists"
    case .items: "items"
    case .reminders: "reminders"
    case .messages: "messages"
    case .deliveries: "deliveries"
    }
  }
}
