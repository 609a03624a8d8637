import Foundation

/// Pages opened in a browser, each by its first visitor.
struct PageLoads {
  /// The factor by which the browser's processor is slowed down.
  static let slowdown = 4

  /// A page, and the token that it needs.
  struct Target {
    let peer: String
    let url: String
    var token: String?
  }

  /// One load of a page.
  struct Load {
    /// The milliseconds until it is usable.
    let time: Double
    /// The requests and bytes that it took until then.
    let requests: Double
    let bytes: Double
    /// The requests until it asks for nothing more.
    let allRequests: Double
  }

  /// The loads of each peer.
  let loads: [(peer: String, loads: [Load])]

  /// Opens the pages in turn, the first time without counting.
  ///
  /// - Throws: ``BenchmarkError`` where the browser fails.
  init(_ targets: [Target], rounds: Int, _ bench: BenchRun) throws {
    let folder = try bench.scratch.folder("browser")
    let lines = (0...rounds).flatMap { round in
      targets.indices.map { targets[($0 + round) % targets.count] }
    }
    _ = try Surroundings.program("chromium", package: "chromium")
    var command = Command(
      program: "/usr/bin/env",
      arguments: ["-C", folder, "/usr/bin/python3", "-B", TestFiles.path("Benchmarks/pages.py"), "\(Self.slowdown)"],
      environment: Surroundings.variables(home: folder))
    command.input = "\(folder)/pages"
    let text = lines.map { ([$0.url] + [$0.token].compactMap(\.self)).joined(separator: " ") + "\n" }.joined()
    try text.write(toFile: command.input, atomically: false, encoding: .utf8)
    Progress.tell("\(lines.count) pages in a browser …")
    let output = try command.output()
    // The browser complains on the same output about a desktop that is not there.
    let found = output.split(whereSeparator: \.isNewline).map { line in line.split(separator: " ").map { Double($0) } }
    let loads = found.compactMap { numbers -> Load? in
      let numbers = numbers.compactMap(\.self)
      guard numbers.count == 4 else { return nil }
      return Load(time: numbers[0], requests: numbers[1], bytes: numbers[2], allRequests: numbers[3])
    }
    guard loads.count == lines.count else {
      throw BenchmarkError("of \(lines.count) pages \(loads.count) were opened\n\(output.suffix(2_000))")
    }
    self.loads = targets.map { target in
      (target.peer, zip(lines, loads).dropFirst(targets.count).filter { $0.0.url == target.url }.map(\.1))
    }
  }

  /// A row of a number of each load.
  func row(_ key: String, _ label: String, _ unit: RowUnit, _ number: (Load) -> Double) -> Row {
    var row = Row(key, label, unit)
    for (peer, loads) in loads { row.add(peer, loads.map(number)) }
    return row
  }
}
