import BelfryEngine
import BelfryModel

/// A field of an item as people write it: how it is named, displayed and read.
///
/// The command's option, the editor's form, the web form, requests and their schemas follow from it.
package struct FieldRow: Sendable {
  /// The values that a field accepts.
  package enum Kind: Sendable {
    /// One line, not empty.
    case line
    /// Any number of lines, or none.
    case lines
    /// Words, or none.
    case words
    /// Several words, or none.
    case several
    /// A time, or none.
    case time
    case flag
    /// One of several words, each with its meaning; or none, which is the first word.
    case choice([(value: String, meaning: String)])
    /// The name of a list.
    case list
    /// The identifier of a category, or none.
    case category

    /// True if a field may have no value.
    package var canBeNone: Bool {
      switch self {
      case .line, .list: false
      case .lines, .words, .several, .time, .flag, .choice, .category: true
      }
    }
  }

  /// A part of a form.
  package enum Section: CaseIterable, Sendable {
    case text, due, ringing, place, notes
  }

  /// The name next to its control.
  package let label: StaticString
  package let section: Section
  package let kind: Kind
  /// The meaning of the field, in one sentence for help and schemas.
  package let about: StaticString
  /// The placeholder for its option's value, in one word.
  package let value: StaticString
  /// The option's name, if it is not that of the field.
  package let option: StaticString?
  /// Examples for a form, and the meaning of an empty value.
  package let hint: StaticString?
  /// Words that a form offers.
  package let suggestions: [StaticString]
  /// The value of an item's field in a form; empty for none.
  package let show: @Sendable (ItemListing) -> String
  /// Sets the field of an edit to the meaning of its words.
  let read: @Sendable (inout ItemEdit, FieldWords) throws -> Void

  init(
    _ label: StaticString, in section: Section, _ kind: Kind, _ about: StaticString, value: StaticString,
    option: StaticString? = nil, hint: StaticString? = nil, suggestions: [StaticString] = [],
    show: @escaping @Sendable (ItemListing) -> String,
    read: @escaping @Sendable (inout ItemEdit, FieldWords) throws -> Void
  ) {
    (self.label, self.section, self.kind, self.about, self.value) = (label, section, kind, about, value)
    (self.option, self.hint, self.suggestions) = (option, hint, suggestions)
    (self.show, self.read) = (show, read)
  }
}
