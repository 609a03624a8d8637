import BelfryEngine
import BelfryModel
import FoundationEssentials
import WebAccess

/// The forms that give access to others, with the typed values and their errors.
struct AccessForms: Sendable {
  /// The fields of a form.
  struct Typed: Sendable {
    var name = ""
    var person = ""
    var scope: String
  }

  var token = Typed(scope: AccessScope.read.rawValue)
  var link = Typed(scope: AccessScope.edit.rawValue)
  /// The numbers of the lists that the token, and the link, is limited to.
  var (lists, linkLists): ([Int64], [Int64]) = ([], [])
  /// The errors, by the name of the field.
  var errors: [String: String] = [:]

  init() {}

  /// - Throws: ``Problem`` 400 for values that no form sends.
  init(token fields: FormFields) throws(Problem) {
    token = Typed(
      name: try fields.text("name") ?? "", person: try fields.text("person") ?? "",
      scope: try fields.text("scope") ?? token.scope)
    lists = try fields.numbers("list")
  }

  /// - Throws: ``Problem`` 400 for values that no form sends.
  init(link fields: FormFields) throws(Problem) {
    link = Typed(person: try fields.text("guest") ?? "", scope: try fields.text("right") ?? link.scope)
    linkLists = try fields.numbers("only")
  }

  /// The right of the token; `nil` with errors.
  mutating func tokenGrant(_ lists: [UUID], _ people: [Person]) -> Access.Grant? {
    let name = token.name
    note("name") { () throws(BelfryError) in try AccessNames.check(token: name) }
    let person = person(token.person, people, field: "person")
    guard let scope = scope(token.scope, field: "scope"), errors.isEmpty else { return nil }
    return Access.Grant(person: person, scope: scope, lists: lists)
  }

  /// The right of a person who signs in with the link; `nil` with errors.
  mutating func linkGrant(_ lists: [UUID], _ people: [Person]) -> Access.Grant? {
    let person = person(link.person, people, field: "guest")
    guard let scope = scope(link.scope, field: "right"), errors.isEmpty else { return nil }
    guard scope != .feed else {
      errors["right"] = "A link cannot sign in to a feed: make a token with the scope feed."
      return nil
    }
    return Access.Grant(person: person, scope: scope, lists: lists)
  }

  private mutating func person(_ typed: String, _ people: [Person], field: String) -> String? {
    guard !typed.isEmpty else { return nil }
    note(field) { () throws(BelfryError) in _ = try AccessNames.checked(typed, among: people.map(\.name)) }
    return typed
  }

  private mutating func scope(_ typed: String, field: String) -> AccessScope? {
    let scope = AccessScope(rawValue: typed)
    if scope == nil { errors[field] = "There is no such scope." }
    return scope
  }

  private mutating func note(_ field: String, _ check: () throws(BelfryError) -> Void) {
    do { try check() } catch { errors[field] = error.forWhoTyped }
  }
}
