/// A field of an item that people write, in the order of forms; the raw values are the names in forms and requests.
package enum ItemField: String, CaseIterable, Sendable {
  case text, due
  case `repeat`
  case repeatFrom = "repeat_from"
  case remind, alerts, nag
  case timeZone = "time_zone"
  case list, tags, priority, category, notes
}
