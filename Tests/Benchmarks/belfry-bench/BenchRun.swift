import Foundation

/// A group of rows that can be measured separately.
enum RowGroup: String, CaseIterable {
  case start, commands, files, million, `import`, insert, due, idle, ring, crowd, webhook, mail, answers, buttons
  case escalation, footprint, web, postgres, vdir, push, pending
  case pages = "web-pages"
  case streams = "web-streams"
  case timeline = "web-timeline"
}

/// The context of every group of rows.
final class BenchRun {
  /// The options of the run.
  let options: Options
  /// The folder for all files.
  let scratch: Scratch
  /// Belfry with the SQLite store.
  let belfry: Belfry
  /// The C programs and their counterpart.
  let limits: LimitPrograms
  /// Every peer that took part, for the report.
  private(set) var peers: [PeerDescription] = []

  private var prepared: [String: Int] = [:]

  init(options: Options, scratch: Scratch) throws {
    self.options = options
    self.scratch = scratch
    belfry = try Belfry(folder: options.programs)
    limits = try LimitPrograms(folder: options.programs)
    try introduce(belfry)
  }

  var scale: Scale { options.scale }

  /// Adds a peer to the report.
  func introduce(_ peer: any Peer) throws { introduce(try PeerDescription(peer)) }

  /// Adds a peer to the report.
  func introduce(_ peer: PeerDescription) {
    if !peers.contains(where: { $0.name == peer.name }) { peers.append(peer) }
  }

  /// The folder of a peer with this many items, filled at first use.
  ///
  /// - Throws: ``BenchmarkError`` where the peer does not contain these items.
  func folder(_ peer: any Peer, _ count: Int, for purpose: String = "commands") throws -> String {
    let folder = try scratch.folder("\(purpose)-\(peer.name.filter { $0.isLetter })-\(count)")
    guard prepared[folder] == nil else { return folder }
    Progress.tell("\(peer.name): preparing \(Figure.grouped(count)) items …")
    try peer.prepare(SampleItems(count: count), in: folder)
    prepared[folder] = count
    try expect(count, of: peer, in: folder)
    return folder
  }

  /// Checks that the measured work was done.
  func expect(_ count: Int, of peer: any Peer, in folder: String) throws {
    let found = try peer.count(in: folder)
    guard found == count else {
      throw BenchmarkError("\(peer.name) has \(found) items where \(count) were put in: nothing was measured")
    }
  }

  /// A copy of a folder under another name, replacing an earlier copy.
  func copy(_ folder: String, as name: String) throws -> String {
    let target = "\(scratch.path)/\(name)"
    try? FileManager.default.removeItem(atPath: target)
    try FileManager.default.copyItem(atPath: folder, toPath: target)
    return target
  }

  /// Measures entrants in turn.
  func contest(_ what: String, _ entrants: [Entrant], rounds: Int? = nil) throws -> [Entrant] {
    let rounds = min(rounds ?? options.rounds, options.rounds)
    Progress.tell("\(what), \(rounds) round\(rounds == 1 ? "" : "s") …")
    return try Contest(entrants: entrants, rounds: rounds).measured()
  }
}

/// Progress messages on standard error.
enum Progress {
  static func tell(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
