import BelfryModel
import CivilTime
import FoundationEssentials

/// The reminders to come as the present config sends them: whom each reaches, and the steps that follow it.
///
/// It assumes no answers and no failures. Cached, since many reminders share an item, a list or a category.
public struct Forecast {
  private struct Kind: Hashable {
    let list: String
    let category: String?
  }

  let reading: Reading
  let settings: Settings
  let sinks: [ActiveSink]
  let names: RecipientNames
  private var escalations: [Kind: Escalation?] = [:]
  private var routes: [Kind: [String]] = [:]
  private var plans: [ReminderOwner: OwnerPlan?] = [:]

  var zone: Zone { reading.planner.floatingZone }

  /// The forecast from a state of the store.
  ///
  /// - Parameter sinks: the enabled sinks.
  public init(_ reading: Reading, settings: Settings, sinks: [ActiveSink]) {
    (self.reading, self.settings, self.sinks) = (reading, settings, sinks)
    names = RecipientNames(settings, sinks: sinks)
  }

  /// The people and sinks that a reminder reaches.
  public mutating func reach(of reminder: some ComingReminder) -> Reach {
    let kind = Kind(list: reminder.listName, category: reminder.category)
    let escalation = escalation(kind)
    switch reminder.occurrence.kind {
    case .nag: return reach(nil, nil, to: routes(kind), at: reminder.fireDate)
    case .planned, .snooze:
      guard let escalation else { return reach(nil, nil, to: routes(kind), at: reminder.fireDate) }
      return reach(escalation, .first, to: escalation.steps.first?.to ?? [], at: reminder.fireDate)
    case .escalation(let place):
      let step = escalation?.step(at: place)
      return reach(step == nil ? nil : escalation, place, to: step?.to ?? [], at: reminder.fireDate)
    }
  }

  /// The escalation of a reminder; `nil` for none.
  mutating func escalation(of reminder: some ComingReminder) -> Escalation? {
    escalation(Kind(list: reminder.listName, category: reminder.category))
  }

  /// The plan of an item or list; `nil` if it has no reminders.
  mutating func plan(of owner: ReminderOwner) throws -> OwnerPlan? {
    if let known = plans[owner] { return known }
    let plan: OwnerPlan? =
      switch owner {
      case .item(let id): try reading.view.item(id: id).flatMap { reading.planner.plan(of: $0.item) }
      case .list(let id): try reading.view.list(id: id).flatMap(reading.planner.plan)
      }
    plans[owner] = plan
    return plan
  }

  /// The names among these that lead to a recipient at an instant.
  func reached(_ names: [String], at instant: Date) -> [String] {
    names.filter { !self.names.recipients(of: [$0], at: instant, in: zone).isEmpty }
  }

  private mutating func escalation(_ kind: Kind) -> Escalation? {
    guard !settings.escalations.isEmpty else { return nil }
    if let known = escalations[kind] { return known }
    let escalation = settings.escalation(forList: kind.list, category: kind.category)
    escalations[kind] = escalation
    return escalation
  }

  private mutating func routes(_ kind: Kind) -> [String] {
    if let known = routes[kind] { return known }
    let names = settings.routes.names(forList: kind.list, category: kind.category) ?? sinks.map(\.name)
    routes[kind] = names
    return names
  }

  private func reach(
    _ escalation: Escalation?, _ place: EscalationPlace?, to names: [String], at fireDate: FireDate
  ) -> Reach {
    Reach(
      escalation: escalation, place: place, given: names, names: reached(names, at: fireDate.date),
      recipients: self.names.recipients(of: names, at: fireDate.date, in: zone))
  }
}

extension EscalationPlace {
  /// The ringing that begins an escalation.
  static let first = EscalationPlace(run: 1, step: 1, ring: 1)
}
