import BelfryEngine
import BelfryModel
import HTTPTypes
import Interchange
import OrderedJSON

/// The operations that import and export whole files.
struct TransferOperations: APIGroup {
  var operations: [APIOperation] {
    [
      APIOperation(
        "import", "Imports a file of another program, and replies with the new items", .post, "/import",
        .allLists(.edit),
        query: [
          .init(
            name: "format", words: "the format, if the content does not show it",
            schema: Self.formats(ImportFormat.self)),
          .init(name: "list", words: "the list for all items", schema: .words),
          .init(name: "create", words: "true to make the list if it does not exist", schema: .flag),
          .init(name: "dry_run", words: "true to change nothing", schema: .flag),
          .init(
            name: "strict", words: "true to import nothing if an entry is refused, or a value of it is not understood",
            schema: .flag),
        ], body: .file, replies: .json(.array(of: .named("Item")))
      ) { try await importFile($0) },
      APIOperation(
        "export", "Exports items for another program", .get, "/export", .allLists(.read),
        query: [
          .init(name: "format", words: "the format; json by default", schema: Self.formats(ExportFormat.self)),
          .init(name: "list", words: "the list; every list by default", schema: .words),
        ], replies: .file(ExportFormat.allCases.map(\.mediaType))
      ) { try await exportFile($0) },
    ]
  }

  private static func formats<Format: RawRepresentable & CaseIterable>(_: Format.Type) -> JSONSchema
  where Format.RawValue == String { .one(of: Format.allCases.map(\.rawValue)) }

  private func importFile(_ request: APIRequest) async throws -> APIReply {
    let (query, settings) = (request.query, request.services.calls.belfry.settings)
    let format = try query.one("format", of: ImportFormat.allCases, \.rawValue)
    let (createsList, isDry) = (try query.flag("create") ?? false, try query.flag("dry_run") ?? false)
    let isStrict = try query.flag("strict") ?? false
    guard let upload = request.upload, upload.size > 0 else {
      throw Problem(.badRequest, "the request has no body", hint: "send the file as it is")
    }
    let target = query["list"].map { settings.listChoice($0, createsMissing: createsList) }
    return try await request.change(isLong: true) { _ in
    } _: { belfry in
      let items = try TransferFile()
      var (refusals, notUnderstood): ([ImportRefusal], [ImportRefusal]) = ([], [])
      let context = try belfry.read { reading in
        ImportContext(
          defaultListName: settings.defaultList, defaultTime: settings.defaultTime, planner: reading.planner,
          now: reading.now)
      }
      let report = try upload.reading { descriptor in
        do {
          var source: any ImportSource = try Importer.open(
            ByteSource(descriptor: descriptor, name: "the file"), format: format, context: context)
          return try belfry.take(
            &source, onto: target, isDryRun: isDry, isStrict: isStrict,
            observe: { event in
              switch event {
              case .refused(let refusal) where refusals.count < Self.mostNamed: refusals.append(refusal)
              case .notUnderstood(let told) where notUnderstood.count < Self.mostNamed: notUnderstood.append(told)
              case .progress, .refused, .notUnderstood: break
              }
            },
            inspect: { reading, report in
              try reading.writeJSON(ofItems: report.added) { try items.write(Array($0.utf8)) }
            })
        } catch let error as ImportError {
          throw Problem(.unprocessableContent, "the file \(error.message)", hint: "nothing was changed")
        }
      }
      if report.added.isEmpty, report.knownCount == 0, report.newLists.isEmpty, let first = report.firstRefusal {
        throw Problem(
          .unprocessableContent, "nothing in the file could be imported, first \(first.place): \(first.reason)")
      }
      var reply = APIReply(items, type: "application/json")
      reply.fields.set("Belfry-Added", "\(report.added.count)")
      reply.fields.set("Belfry-Known", "\(report.knownCount)")
      reply.fields.set("Belfry-Refused", "\(report.refusedCount)")
      reply.fields.set("Belfry-Not-Understood", "\(report.notUnderstoodCount)")
      if !refusals.isEmpty { reply.fields.set("Belfry-Refusals", Self.field(of: refusals)) }
      if !notUnderstood.isEmpty { reply.fields.set("Belfry-Doubts", Self.field(of: notUnderstood)) }
      return reply
    }
  }

  /// The most refused entries in a field of the reply, and the most bytes of that field, since proxies accept only a
  /// few kilobytes of header.
  private static let (mostNamed, mostBytes) = (10, 2_000)

  private static func field(of refusals: [ImportRefusal]) -> String {
    var named = refusals.map(\.json)
    while named.count > 1, JSONValue.array(named).inASCII.utf8.count > mostBytes { named.removeLast() }
    return JSONValue.array(named).inASCII
  }

  private func exportFile(_ request: APIRequest) async throws -> APIReply {
    let format = try request.query.one("format", of: ExportFormat.allCases, \.rawValue) ?? .belfry
    let file = try TransferFile()
    try await request.read { sight in
      let list = try request.query["list"].map { try sight.list(named: $0).id }
      _ = try Exporter.export(
        sight.reading, as: format, listID: list, defaultTime: request.services.calls.belfry.settings.defaultTime,
        progress: { _, _ in try Task.checkCancellation() }
      ) { try file.write($0) }
    }
    return APIReply(file, type: format.mediaType)
  }
}

extension ImportRefusal {
  fileprivate var json: JSONValue { ["place": .string(place), "reason": .string(String(reason.prefix(200)))] }
}

extension JSONValue {
  /// The value in ASCII, as a header field can hold it.
  fileprivate var inASCII: String {
    serialized().unicodeScalars.map { scalar in
      if scalar.isASCII { return String(scalar) }
      return String(scalar).utf16.map { "\\u" + String(Int($0) + 0x10000, radix: 16).dropFirst() }.joined()
    }.joined()
  }
}

extension ExportFormat {
  /// The media type of its files.
  fileprivate var mediaType: String {
    switch self {
    case .belfry: "application/json"
    case .propertyList: "application/x-plist"
    case .calendar: "text/calendar; charset=utf-8"
    case .todoTxt: "text/plain; charset=utf-8"
    case .table: "text/csv; charset=utf-8"
    }
  }
}
