import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// The operations on future reminders.
struct ReminderOperations: APIGroup {
  var operations: [APIOperation] {
    [
      APIOperation(
        "getPending", "The scheduled reminders, soonest first", .get, "/pending", .scope(.read),
        replies: .page(of: .named("PendingReminder"))
      ) { try await pending($0) },
      APIOperation(
        "getPlan", "The reminders of the coming year, repeats included", .get, "/plan", .scope(.read),
        query: [
          .init(name: "from", words: "the start; now by default", schema: .words),
          .init(name: "until", words: "the end; a year after the start by default", schema: .words),
          APIOperation.now,
        ], replies: .page(of: .named("PlannedReminder"))
      ) { try await plan($0) },
      APIOperation(
        "getAgenda", "The reminders of the coming days", .get, "/agenda", .scope(.read),
        query: [.init(name: "days", words: "the number of days; 7 by default", schema: .integer(1...Self.mostDays))],
        replies: .page(of: .named("PlannedReminder"))
      ) { try await agenda($0) },
    ]
  }

  private static let mostDays: Int64 = 3_660
  private static let year = 366.0 * 86_400

  private func pending(_ request: APIRequest) async throws -> APIReply {
    let wanted = try await request.page()
    return APIReply(
      try await request.read { sight in
        var owners = try OwnersInSight(sight)
        var forecast = request.forecast(sight)
        return try Page(wanted) { add in
          try sight.reading.view.visitPending(limit: nil) { pending in
            guard try owners.include(pending.owner) else { return .next }
            let key = [pending.fireDate.pageKey] + pending.owner.pageKey
            return try add(sight.reading.json(pending, forecast.reach(of: pending)), key)
          }
        }
      })
  }

  private func plan(_ request: APIRequest) async throws -> APIReply {
    let wanted = try await request.page()
    return APIReply(
      try await request.readAtNamedTime { sight in
        let (reading, reader) = (sight.reading, request.reader(sight.reading))
        let first = try request.query["from"].map { try reader.instant($0, called: "from") } ?? reading.now
        let last =
          try request.query["until"].map { try reader.instant($0, called: "until") }
          ?? first.addingTimeInterval(Self.year)
        guard first <= last else { throw Problem(.badRequest, "'until' is before 'from'") }
        let start = wanted.firstKey.map { max(first, Date(timeIntervalSince1970: Double($0))) } ?? first
        var owners = try OwnersInSight(sight)
        let outlook = try reading.preview(from: start, until: max(start, last), limit: wanted.reach) {
          try owners.include($0)
        }
        return try Self.page(wanted, outlook, request, sight)
      })
  }

  private func agenda(_ request: APIRequest) async throws -> APIReply {
    let wanted = try await request.page()
    let days = try request.query.number("days", in: 1...Self.mostDays) ?? 7
    return APIReply(
      try await request.read { sight in
        var owners = try OwnersInSight(sight)
        return try Self.page(
          wanted, sight.reading.agenda(days: Int(days)) { try owners.include($0) }, request, sight)
      })
  }

  private static func page(
    _ wanted: PageRequest, _ outlook: Outlook, _ request: APIRequest, _ sight: Sight
  ) throws -> Page {
    var forecast = request.forecast(sight)
    return try Page(wanted) { add in
      for entry in try forecast.entries(of: outlook.rings) {
        if try add(sight.reading.json(entry), [entry.reminder.fireDate.pageKey]) == .stop { return }
      }
    }
  }
}

extension FireDate {
  fileprivate var pageKey: Int64 { Int64(date.timeIntervalSince1970) }
}

extension ReminderOwner {
  /// Items are before lists, each by its number.
  fileprivate var pageKey: [Int64] {
    switch self {
    case .item(let id): [0, id]
    case .list(let id): [1, id]
    }
  }
}

extension APIRequest {
  fileprivate func forecast(_ sight: Sight) -> Forecast {
    Forecast(sight.reading, settings: services.calls.belfry.settings, sinks: services.setup.sinks)
  }
}
