import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import ItemEntry
import MessageText

/// The texts that a person can write to the bot: commands, and others, which become items.
struct ChatCommands {
  /// The longest text that becomes an item, in bytes: the text of the longest message.
  private static let longestText = 16_384
  /// The errors for which a text itself is the reason.
  private static let faultsOfText: Set<BelfryError.Kind> = [.usage, .badInput, .notFound, .badConfig]

  private let inbox: Inbox
  private var belfry: Belfry { inbox.belfry }
  private var settings: Settings { belfry.settings }

  /// The commands of an inbox.
  init(_ inbox: Inbox) { self.inbox = inbox }

  /// Carries out a text, and stores the position after it.
  ///
  /// - Returns: the reply to the person who wrote it.
  /// - Throws: the errors of the store; nothing was done then.
  func take(_ text: String, position: String) throws -> String {
    let words: String
    do {
      if text.first != "/" { return try add(text, position: position) }
      words = try answer(text)
    } catch let error as BelfryError {
      // The server must send the text again if the store failed, so it is not confirmed.
      guard text.first == "/" || Self.faultsOfText.contains(error.kind) else { throw error }
      words = error.line.capitalizedFirst
    }
    try inbox.skip(to: position)
    return words
  }

  private func answer(_ text: String) throws -> String {
    let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    let name = words.count > 1 ? String(words[1]).trimmingWhitespace() : ""
    // In some clients a command carries the name of its bot: /list@my_bot.
    return switch words[0].prefix(while: { $0 != "@" }).lowercased() {
    case "/list": try belfry.read { try ChatView($0).list(name, orElse: settings.defaultList) }
    case "/agenda": try belfry.read { try ChatView($0).agenda() }
    default: help
    }
  }

  private var help: String {
    """
    A text becomes an item on '\(settings.defaultList)', and a reminder if it ends in a time: Buy milk tomorrow 9am. \
    It can also end in a list, tags, a priority and a repeat: Bins #Home @street !high every tuesday 7am. \
    Further lines are its notes.
    /list – what is open on '\(settings.defaultList)', /list NAME on another list, /list @tag or !high on all of them
    /agenda – what rings within a week
    """
  }

  private func add(_ text: String, position: String) throws -> String {
    guard text.utf8.count <= Self.longestText else {
      throw BelfryError(.badInput, "the text is longer than \(Self.longestText) bytes", hint: "write a shorter one")
    }
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let (line, edit) = try belfry.read { reading in
      let reader = EntryReader(reading: reading, settings: settings, zones: belfry.zones)
      let line = try reader.line(String(parts[0]))
      return (line, try reader.edit(line))
    }
    var draft = ItemDraft(text: line.text, edit)
    draft.notes = parts.count > 1 ? String(parts[1]) : nil
    let added = try inbox.add(draft, to: edit.list ?? settings.listChoice(nil), position: position)
    return ([words(for: added)] + line.remarks.map(\.capitalizedFirst)).joined(separator: "\n")
  }

  private func words(for added: ItemChange) -> String {
    let item = added.listing.item
    var words = "Added \(item.id) (\(added.listing.listName)): \(item.text)"
    // An item that was added must not be reported as a failure.
    guard let viewpoint = try? belfry.hindsight() else { return words }
    let moment = Moment(zone: viewpoint.displayZone(item.zone), now: viewpoint.now)
    if let next = added.listing.nextFireDate { words += "\nrings \(moment.full(next.date))" }
    if let rule = item.recurrence?.rule { words += "\nrepeats \(rule.words)" }
    return words
  }
}
