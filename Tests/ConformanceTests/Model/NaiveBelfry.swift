import BelfryEngine
import BelfryModel
import CivilTime
import Foundation

/// A second implementation of Belfry's state tables, as plain as possible and without regard to cost.
///
/// It shares Belfry's types and zones, and none of its decisions.
struct NaiveBelfry {
  static let delays = [5.0, 30, 120, 600, 1_800, 3_600]
  static let retryAge = 86_400.0
  static let sinks = ["chat": [nil], "mail": ["x", "y"]] as [String: [String?]]
  /// The sink that can change what it sent.
  static let withdrawing = "chat"

  let policy: MissedPolicy
  private let zones = ZoneDatabase(environment: [:])
  var now: Date
  var machineZone: String
  var enabledSinks: Set<String> = ["chat", "mail"]
  var facts = Facts()
  private var nextListID: Int64 = 1
  /// The times at which items were checked, by item.
  var checkedAt: [Int64: Date] = [:]
  /// The deliveries of which an attempt may have arrived.
  var reached: Set<Facts.Sending> = []
  /// The details of answers that are not compared with the store, by number.
  var given: [Int64: GivenAnswer] = [:]

  init(now: Date, machineZone: String, policy: MissedPolicy) {
    self.now = now
    self.machineZone = machineZone
    self.policy = policy
  }

  var second: Date { Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down)) }

  var owners: [ReminderOwner] {
    (1..<nextListID).map(ReminderOwner.list)
      + (1..<max(1, facts.nextItemID)).map(ReminderOwner.item)
  }

  // MARK: Content

  func list(named name: String) -> Int64? {
    facts.lists.first { $0.value.name.lowercased() == name.lowercased() }?.key
  }

  func list(of item: Int64) -> Int64? { facts.lists.first { $0.value.items.contains(item) }?.key }

  private func zone(_ zone: ItemZone) throws -> Zone {
    switch zone {
    case .floating: try zones.zone(facts.zone ?? machineZone)
    case .fixed(let name): try zones.zone(name)
    }
  }

  func resolve(_ local: WallTime, _ itemZone: ItemZone) throws -> Date {
    try zone(itemZone).instant(of: local).instant
  }

  // MARK: Reminders

  /// The wanted occurrences of an owner, each with its instant.
  private func wanted(_ owner: ReminderOwner) throws -> [Facts.Ring: Date] {
    var wanted: [Facts.Ring: Date] = [:]
    switch owner {
    case .item(let id):
      guard let item = facts.items[id], let local = item.local, item.shouldRemind, !item.isChecked
      else { return [:] }
      for lead in item.leads {
        let day = try resolve(local.adding(days: -lead.days), item.zone)
        wanted[Facts.Ring(owner: owner, local: local, lead: lead)] = day - 60 * Double(lead.minutes)
      }
    case .list(let id):
      guard let list = facts.lists[id], let own = list.own,
        list.items.contains(where: { facts.items[$0]?.isChecked == false })
      else { return [:] }
      wanted[Facts.Ring(owner: owner, local: own.local, lead: .zero)] = try resolve(
        own.local, own.zone)
    }
    return wanted
  }

  mutating func replan(_ owner: ReminderOwner, isMoved: Bool = false) throws {
    let wanted = try wanted(owner)
    for (ring, state) in facts.rings
    where ring.owner == owner && state.state == .scheduled && wanted[ring] == nil {
      facts.rings[ring]?.state = .cancelled
    }
    for (ring, instant) in wanted {
      switch facts.rings[ring]?.state {
      case .fired, .missed: break
      case .scheduled:
        if isMoved, instant <= now, let old = facts.rings[ring]?.instant, old > now {
          facts.rings[ring]?.state = .cancelled
        } else {
          facts.rings[ring]?.instant = instant
        }
      case .cancelled, nil:
        if instant > now {
          facts.rings[ring] = Facts.RingState(instant: instant, state: .scheduled)
        }
      }
    }
  }

  mutating func begin() { if facts.zone == nil { facts.zone = machineZone } }

  mutating func discard(_ owner: ReminderOwner) {
    for (sending, state) in facts.sendings
    where sending.ring.owner == owner && state.state == .pending {
      close(sending, .discarded)
    }
  }

  mutating func close(_ sending: Facts.Sending, _ state: Delivery.State) {
    let second = second
    facts.sendings[sending]?.state = state
    facts.sendings[sending]?.next = nil
    facts.sendings[sending]?.closed = second
  }

  // MARK: Items

  mutating func add(_ item: Facts.Item, to listName: String) throws {
    begin()
    let id = max(1, facts.nextItemID)
    let list = addList(named: listName)
    var item = item
    item.instant = try item.local.map { try resolve($0, item.zone) }
    facts.items[id] = item
    facts.nextItemID = id + 1
    facts.lists[list]?.items.append(id)
    try replan(.item(id))
    try replan(.list(list))
  }

  mutating func edit(_ id: Int64, to listName: String?, _ change: (inout Facts.Item) -> Void) throws {
    begin()
    guard var item = facts.items[id], let old = list(of: id) else { return }
    let zone = item.zone
    change(&item)
    item.instant = try item.local.map { try resolve($0, item.zone) }
    facts.items[id] = item
    let new = listName.map { addList(named: $0) } ?? old
    if new != old {
      facts.lists[old]?.items.removeAll { $0 == id }
      facts.lists[new]?.items.append(id)
    }
    try replan(.item(id), isMoved: item.zone != zone)
    for list in [old, new] { try replan(.list(list)) }
  }

  mutating func check(_ ids: [Int64], _ isChecked: Bool) throws {
    begin()
    for id in ids where facts.items[id]?.isChecked == !isChecked {
      facts.items[id]?.isChecked = isChecked
      checkedAt[id] = isChecked ? second : nil
      if isChecked { discard(.item(id)) }
      updateCopies(of: .item(id))
      try replan(.item(id))
      if let list = list(of: id) { try replan(.list(list)) }
    }
  }

  mutating func delete(_ ids: [Int64]) throws {
    begin()
    for id in ids {
      let list = list(of: id)
      facts.items[id] = nil
      discard(.item(id))
      updateCopies(of: .item(id))
      try replan(.item(id))
      guard let list else { continue }
      facts.lists[list]?.items.removeAll { $0 == id }
      try replan(.list(list))
    }
  }

  // MARK: Lists

  mutating func addList(named name: String) -> Int64 {
    if let id = list(named: name) { return id }
    facts.lists[nextListID] = Facts.List(name: name, own: nil, items: [])
    nextListID += 1
    return nextListID - 1
  }

  mutating func rename(_ id: Int64, to name: String) {
    begin()
    facts.lists[id]?.name = name
  }

  mutating func remind(_ id: Int64, _ own: Facts.Own?) throws {
    begin()
    var own = own
    if let asked = own { own?.instant = try resolve(asked.local, asked.zone) }
    let zone = facts.lists[id]?.own?.zone
    facts.lists[id]?.own = own
    try replan(.list(id), isMoved: zone != own?.zone)
  }

  mutating func clear(_ id: Int64) throws {
    try delete(facts.lists[id]?.items ?? [])
    try replan(.list(id))
  }

  mutating func deleteList(_ id: Int64) throws {
    try clear(id)
    facts.lists[id] = nil
    discard(.list(id))
    updateCopies(of: .list(id))
    try replan(.list(id))
  }
}
