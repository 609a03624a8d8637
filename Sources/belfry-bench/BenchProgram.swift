import Foundation

/// The program `belfry-bench`.
enum BenchProgram {
  /// Measures, prints the table, and returns the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    do {
      guard let options = try Options(arguments) else {
        print(Options.usage)
        return 0
      }
      try run(options)
      return 0
    } catch let error as BenchmarkError {
      Progress.tell("belfry-bench: \(error.message)")
      return error.status
    } catch {
      Progress.tell("belfry-bench: \(error)")
      return 1
    }
  }

  private static func run(_ options: Options) throws {
    // What cannot be written is told before the minutes of measuring, not after.
    let readme = try options.readme.map(ReadmeSection.init)
    let scratch = try Scratch()
    defer { scratch.remove() }
    let belfry = try Belfry(folder: options.programs)
    let peers: [any Peer] = [belfry, try SQLiteShell(), try Taskwarrior()]
    var report = Report(
      machine: Machine(scratch: scratch.path), rounds: options.rounds, peers: try peers.map(PeerDescription.init))
    report.rows = try CommandRows(peers: peers, rounds: options.rounds, scratch: scratch).measure()
    report.rows += try StoreRows(programs: options.programs, options: options, scratch: scratch).measure()
    report.rows += try RingRows(belfry: belfry, options: options, scratch: scratch).measure()
    print(report.text)
    try readme?.replace(with: report.text)
    if let json = options.json { try report.writeJSON(to: json) }
  }
}

/// What the user sees while it takes its time: lines on standard error.
enum Progress {
  /// Writes one line.
  static func tell(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
