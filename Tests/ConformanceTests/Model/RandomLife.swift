import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation

/// One random sequence of user actions, sink outcomes and clock changes, applied to both Belfry and the model.
final class RandomLife {
  let seed: UInt64
  let fixture: any StoreFixture
  var random: SeededGenerator
  var model: NaiveBelfry
  let time: ManualTimeSource
  var store: any ItemStore
  var settings = Settings()
  var daemon: TestDaemon?
  var sinks: [String: RecordingSink] = [:]
  /// The identifier of each message, which must be the same on every attempt.
  private var identities: [String: UUID] = [:]
  /// The steps so far, for a failure's message.
  private var story: [String] = []

  static let zoneNames = ["Europe/Zurich", "America/New_York", "Asia/Tokyo"]
  private static let listNames = ["Home", "Work", "Work 2", "Garden"]

  init(seed: UInt64, fixture: any StoreFixture) throws {
    self.seed = seed
    self.fixture = fixture
    random = SeededGenerator(seed: seed)
    store = try fixture.open()
    // The clocks go back in Zurich a few hours later, in New York a week later.
    let start = Date(timeIntervalSince1970: 1_792_843_200)
    time = ManualTimeSource(start)
    let policy = MissedPolicy(
      policy: MissedPolicy.Policy.allCases.randomElement(using: &random) ?? .once)
    settings.missed = policy
    settings.routes = [Route(lists: [ListPattern("work*")], sinks: ["mail"])]
    settings.actions = [.acknowledge, .check, .delete].map { word in
      CategoryAction(identifier: word.rawValue, title: word.rawValue, operation: ActionOperation(word))
    }
    model = NaiveBelfry(now: start, machineZone: "Europe/Zurich", policy: policy)
    settings.timeZone = .named(model.machineZone)
    // The model knows no age at which a copy stays as it is.
    settings.answers.validFor = 1_000_000_000
  }

  var belfry: Belfry {
    Belfry(store: store, settings: settings, time: time, zones: ZoneDatabase(environment: [:]))
  }

  /// Runs this many steps and compares after each.
  func run(steps: Int) async throws {
    do {
      try restart(sinks: ["chat", "mail"])
      for _ in 0..<steps {
        try await step()
        try compareIdentities()
        let actual = try Facts(store, owners: model.owners)
        guard actual == model.facts else {
          throw Difference(actual.differences(from: model.facts).sorted().joined(separator: "\n"))
        }
      }
    } catch {
      throw Difference(
        "seed \(seed) (BELFRY_MODEL_SEED=\(seed) runs it alone), step \(story.count):\n\(error)\n"
          + story.suffix(12).joined(separator: "\n"))
    }
  }

  private func compareIdentities() throws {
    for (name, sink) in sinks {
      for message in sink.attempts.map(\.message) {
        let key = "\(name) \(message.contents.map(\.reminderID)) \(message.update?.number ?? 0)"
        guard identities.updateValue(message.id, forKey: key) ?? message.id == message.id else {
          throw Difference("\(key) went out under two identities")
        }
      }
    }
  }

  func tell(_ what: String) { story.append("\(story.count): \(what)") }

  // MARK: Steps

  private func step() async throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<15: try add()
    case 15..<25: try edit()
    case 25..<33: try press()
    case 33..<37: try takeBack()
    case 37..<42: try check(true)
    case 42..<46: try check(false)
    case 46..<49: try delete()
    case 49..<58: try changeLists()
    case 58..<72: try moveClock()
    case 72..<88: try await tick()
    case 88..<92: try crash()
    case 92..<95: try changeDeliveries()
    case 95..<97: try travel()
    default:
      let sinks: [Set<String>] = [["chat", "mail"], ["chat", "mail"], ["chat"], ["mail"]]
      try restart(sinks: sinks.randomElement(using: &random) ?? [])
    }
  }

  private func add() throws {
    let list = pick(Self.listNames)
    let item = Facts.Item(
      text: "item \(story.count)", isChecked: false, local: chance(85) ? somewhen() : nil,
      instant: nil,
      zone: someZone(), shouldRemind: chance(85), leads: someLeads())
    tell("add \(item) to \(list)")
    let draft = ItemDraft(
      text: item.text, due: item.local, zone: item.zone, shouldRemind: item.shouldRemind,
      alerts: item.leads == [.zero] ? [] : Array(item.leads) + Array(item.leads))
    _ = try belfry.add([draft], to: ListChoice(list, createsMissing: true))
    try model.add(item, to: list)
  }

  private func edit() throws {
    guard let id = anyItem() else { return }
    var edit = ItemEdit()
    var changes: [(inout Facts.Item) -> Void] = []
    if chance(60) {
      let local = chance(90) ? somewhen() : nil
      edit.due = local.map(When.at) ?? When.none
      changes.append { $0.local = local }
    }
    if chance(20) {
      edit.text = "item \(id) edited"
      changes.append { $0.text = "item \(id) edited" }
    }
    if chance(20) {
      let isOn = chance(60)
      edit.shouldRemind = isOn
      changes.append { $0.shouldRemind = isOn }
    }
    if chance(15) {
      let leads = someLeads()
      edit.alerts = leads == [.zero] ? [] : Array(leads)
      changes.append { $0.leads = leads }
    }
    if chance(10) {
      let zone = someZone()
      edit.zone = zone
      changes.append { $0.zone = zone }
    }
    let list = chance(10) ? pick(Self.listNames) : nil
    edit.list = list.map { ListChoice($0, createsMissing: true) }
    tell("edit \(id): \(edit)")
    _ = try belfry.edit(id, edit)
    try model.edit(id, to: list) { item in changes.forEach { $0(&item) } }
  }

  private func check(_ isChecked: Bool) throws {
    let ids = someItems()
    tell("\(isChecked ? "check" : "uncheck") \(ids)")
    guard try isPossible(ids, { _ = try belfry.setChecked(isChecked, ids) }) else { return }
    try model.check(ids, isChecked)
  }

  private func delete() throws {
    let ids = someItems()
    tell("delete \(ids)")
    guard try isPossible(ids, { _ = try belfry.delete(ids) }) else { return }
    try model.delete(ids)
  }

  private func changeLists() throws {
    guard let id = model.facts.lists.keys.sorted().randomElement(using: &random),
      let list = model.facts.lists[id]
    else {
      return
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<6:
      let own = Facts.Own(
        local: somewhen(), zone: someZone(), instant: .distantPast,
        message: chance(50) ? "own" : nil)
      tell("remind \(list.name): \(own)")
      _ = try belfry.remindList(
        list.name.uppercased(),
        ListReminderDraft(at: own.local, zone: own.zone, message: own.message))
      try model.remind(id, own)
    case 6:
      tell("remind \(list.name) off")
      _ = try belfry.remindList(list.name, nil)
      try model.remind(id, nil)
    case 7:
      let name = pick(Self.listNames)
      guard model.list(named: name) == nil else { return }
      tell("rename \(list.name) to \(name)")
      _ = try belfry.renameList(list.name, to: name)
      model.rename(id, to: name)
    case 8:
      tell("clear \(list.name)")
      _ = try belfry.clearList(list.name)
      try model.clear(id)
    default:
      tell("delete list \(list.name)")
      _ = try belfry.deleteList(list.name)
      try model.deleteList(id)
    }
  }

  private func changeDeliveries() throws {
    let pending = model.facts.sendings.filter { $0.value.state == .pending }.map(\.key)
    if chance(50), let sending = pending.min(by: { "\($0)" < "\($1)" }) {
      tell("discard \(sending)")
      let found = try store.read { view in
        try view.deliveries(of: sending.ring.owner, state: .pending).first { delivery, message in
          let reminder = try (message.contents.first?.reminderID).flatMap {
            try view.reminder(id: $0)
          }
          return delivery.sink == sending.sink && delivery.recipient == sending.recipient
            && reminder?.occurrence.wallTime == sending.ring.local
            && reminder?.occurrence.lead == sending.ring.lead
        }
      }
      guard let found else { throw Difference("\(sending) is not pending") }
      _ = try belfry.discardDeliveries([found.0.id])
      model.discardSending(sending)
    } else {
      tell("retry what is dead")
      _ = try belfry.retryDeliveries(nil)
      model.retryDead()
    }
  }

  private func moveClock() throws {
    var seconds = pick([30, 60, 60, 300, 600, 601, 660, 1_800, 3_600, 28_800, 86_400, 700_000])
    // The model does not cover retries while the clock steps back.
    let retries = model.facts.sendings.values.contains { $0.state == .pending && $0.attempts > 0 }
    if chance(20), !retries { seconds = pick([-1, -60, -3_600, -86_400]) }
    tell("move the clock by \(seconds) s")
    time.advance(by: Double(seconds))
    model.now = time.now
  }

  private func travel() throws {
    model.machineZone = pick(Self.zoneNames)
    try restart(sinks: model.enabledSinks)
  }
}
