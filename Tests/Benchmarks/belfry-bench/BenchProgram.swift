import Foundation

enum BenchProgram {
  /// Measures, prints the table, and returns the exit status: 1 where something could not be measured.
  static func run(_ arguments: [String]) -> Int32 {
    do {
      guard let options = try Options(arguments) else {
        print(Options.usage)
        return 0
      }
      return try run(options)
    } catch let error as BenchmarkError {
      Progress.tell("belfry-bench: \(error.message)")
      return error.status
    } catch {
      Progress.tell("belfry-bench: \(error)")
      return 1
    }
  }

  private static func run(_ options: Options) throws -> Int32 {
    // An unwritable page is reported before the measuring starts.
    let page = try options.page.map(MarkedSection.init)
    let readme = try options.readme.map(MarkedSection.init)
    let scratch = try Scratch()
    defer { scratch.remove() }
    let bench = try BenchRun(options: options, scratch: scratch)
    var report = Report(machine: Machine(scratch: scratch.path), rounds: options.rounds)
    let plots = Measurements(bench).run(&report)
    report.peers = bench.peers
    if let folder = options.plots { report.plots = try plots.map { try $0.write(to: folder) } }
    print(report.text(in: options.page ?? ""))
    try page?.replace(with: report.text(in: options.page ?? ""))
    try readme?.replace(with: report.summary(in: options.readme ?? ""))
    if let json = options.json { try report.writeJSON(to: json) }
    return report.failures.isEmpty ? 0 : 1
  }
}

/// All groups of rows; those watched in the background are started first.
private struct Measurements {
  private let bench: BenchRun

  init(_ bench: BenchRun) { self.bench = bench }

  /// Fills a report; a failed group is noted in it, and does not stop the others.
  func run(_ report: inout Report) -> [Plot] {
    var growth = Growth()
    let deliveries = DeliveryStores(bench)
    let idle = IdleRows(bench)
    attempt([.idle], &report) {
      try idle.begin()
      return []
    }
    attempt([.start], &report) { try CommandRows(bench: bench).startUp() }
    attempt([.commands], &report) { try CommandRows(bench: bench).measure(&growth) }
    attempt([.files], &report) { try FileStoreRows(bench: bench).measure(&growth) }
    attempt([.million], &report) { try MillionRows(bench: bench).measure() }
    attempt([.import], &report) { try ImportRows(bench: bench).imported() }
    attempt([.insert], &report) { try ImportRows(bench: bench).inserted() }
    attempt([.due], &report) { try MillionRows(bench: bench).due() }
    attempt([.idle], &report) { try idle.end() }
    attempt([.ring], &report) { try RingRows(bench: bench).measure() }
    attempt([.crowd], &report) { try CrowdRows(bench).measure() }
    attempt([.webhook], &report) { try WebhookRows(bench: bench, stores: deliveries).measure() }
    attempt([.pending], &report) { try PendingRows(bench: bench, stores: deliveries).measure() }
    attempt([.push], &report) { try PushRows(bench: bench, stores: deliveries).measure() }
    attempt([.mail], &report) { try MailRows(bench: bench, stores: deliveries).measure() }
    attempt([.answers], &report) { try AnswerRows(bench: bench, stores: deliveries).measure() }
    attempt([.buttons], &report) { try ButtonRows(bench: bench, stores: deliveries).measure() }
    attempt([.escalation], &report) { try EscalationRows(bench: bench, stores: deliveries).measure() }
    attempt([.web], &report) { try WebRows(bench: bench).measure() }
    attempt([.pages], &report) { try PageRows(bench: bench).measure() }
    attempt([.streams], &report) { try StreamRows(bench: bench).measure() }
    attempt([.timeline], &report) { try TimelineRows(bench: bench, stores: deliveries).measure() }
    attempt([.postgres], &report) { try PostgresRows(bench: bench, stores: deliveries).measure() }
    attempt([.vdir], &report) { try FolderRows(bench: bench).measure() }
    attempt([.footprint], &report) { try FootprintRows(bench: bench).measure() }
    return growth.plots
  }

  private func attempt(_ groups: [RowGroup], _ report: inout Report, _ measure: () throws -> [Row]) {
    guard groups.contains(where: bench.options.groups.contains) else { return }
    do {
      report.rows += try measure()
    } catch {
      let message = (error as? BenchmarkError)?.message ?? "\(error)"
      let name = groups.map(\.rawValue).joined(separator: " and ")
      Progress.tell("belfry-bench: \(name): \(message)")
      report.failures.append("\(name): \(message.split(whereSeparator: \.isNewline).joined(separator: " "))")
    }
  }
}
