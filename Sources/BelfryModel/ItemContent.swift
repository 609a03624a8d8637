import CivilTime

/// The content of an item without its dates, from a person, a program or a file.
///
/// Items, drafts and imported items hold it as one value, so that a change starts from all of it. Its initialiser has
/// no defaults, so that code which makes one cannot forget a field.
public struct ItemContent: Hashable, Sendable {
  /// The text: one line, not empty.
  public var text: String
  /// The notes, any number of lines.
  public var notes: String?
  /// The lead times of its reminders before the due date, one reminder for each. An item has at least one; a draft or
  /// an imported item without any means the due date itself.
  public var alerts: [CalendarDuration]
  /// The interval of nagging until the item is checked; `nil` for none.
  public var nag: CalendarDuration?
  /// The category, which provides the actions of its reminders.
  public var category: String?
  /// The identity that a program gave it, unique among all items of its store; see ``TextRules/key(_:)``.
  public var key: String?
  /// Words that group items across lists.
  public var tags: ItemTags
  /// The priority; `nil` for none.
  public var priority: ItemPriority?
  /// Properties of other programs for which it has no field: unfolded content lines (RFC 5545 section 3.1), each
  /// `NAME;PARAMETER=VALUE:VALUE`.
  public var properties: [String]
  /// True if the item reminds when due.
  public var shouldRemind: Bool

  /// A content of all its parts.
  public init(
    text: String, notes: String?, shouldRemind: Bool, alerts: [CalendarDuration], nag: CalendarDuration?,
    category: String?, key: String?, tags: ItemTags, priority: ItemPriority?,
    properties: [String]
  ) {
    self.text = text
    self.notes = notes
    self.shouldRemind = shouldRemind
    self.alerts = alerts
    self.nag = nag
    self.category = category
    self.key = key
    self.tags = tags
    self.priority = priority
    self.properties = properties
  }

  /// Every text in it, for comparisons by byte: texts that differ only in Unicode normalisation are equal.
  package var texts: [String?] { [text, notes, category, key] + tags.names + properties }

  /// The content of an item that is to be filled in, field by field, by a form or the reader of a store.
  package static let blank = ItemContent(
    text: "", notes: nil, shouldRemind: false, alerts: [.zero], nag: nil, category: nil, key: nil, tags: .empty,
    priority: nil, properties: [])
}

extension ItemContent {
  /// The content as an item stores it.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for a text, notes or a key that no item can have.
  package func normalized() throws -> ItemContent {
    ItemContent(
      text: try TextRules.line(text, what: "the text"),
      notes: try notes.flatMap { try TextRules.lines($0, what: "the notes") }, shouldRemind: shouldRemind,
      alerts: alerts.normalizedAlerts, nag: nag, category: category, key: try key.map(TextRules.key), tags: tags,
      priority: priority, properties: properties)
  }
}

extension [CalendarDuration] {
  /// The lead times without duplicates, longest first; zero if there are none.
  package var normalizedAlerts: [CalendarDuration] {
    isEmpty ? [.zero] : uniqued().sorted { ($0.days, $0.minutes) > ($1.days, $1.minutes) }
  }
}

// Not by key paths as in drafts, since every list and every plan reads these.
extension Item {
  /// See ``ItemContent/text``.
  @inlinable public var text: String {
    get { content.text }
    set { content.text = newValue }
  }
  /// See ``ItemContent/notes``.
  @inlinable public var notes: String? {
    get { content.notes }
    set { content.notes = newValue }
  }
  /// See ``ItemContent/shouldRemind``.
  @inlinable public var shouldRemind: Bool {
    get { content.shouldRemind }
    set { content.shouldRemind = newValue }
  }
  /// See ``ItemContent/alerts``.
  @inlinable public var alerts: [CalendarDuration] {
    get { content.alerts }
    set { content.alerts = newValue }
  }
  /// See ``ItemContent/nag``.
  @inlinable public var nag: CalendarDuration? {
    get { content.nag }
    set { content.nag = newValue }
  }
  /// See ``ItemContent/category``.
  @inlinable public var category: String? {
    get { content.category }
    set { content.category = newValue }
  }
  /// See ``ItemContent/key``.
  @inlinable public var key: String? {
    get { content.key }
    set { content.key = newValue }
  }
  /// See ``ItemContent/tags``.
  @inlinable public var tags: ItemTags {
    get { content.tags }
    set { content.tags = newValue }
  }
  /// See ``ItemContent/priority``.
  @inlinable public var priority: ItemPriority? {
    get { content.priority }
    set { content.priority = newValue }
  }
  /// See ``ItemContent/properties``.
  @inlinable public var properties: [String] {
    get { content.properties }
    set { content.properties = newValue }
  }
}
