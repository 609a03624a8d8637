import Foundation

/// The rows that do not depend on the machine's load: sizes, allocations and instructions.
struct FootprintRows {
  let bench: BenchRun

  func measure() throws -> [Row] {
    let programs = try stripped()
    let belfry = try Belfry(folder: programs)
    let folder = try bench.folder(bench.belfry, 100, for: "footprint")
    guard let add = belfry.addOne(in: folder), let show = belfry.showNext(in: folder) else { return [] }
    return [
      try size("belfry", programs), try size("belfryd", programs), try size("belfry-web", programs),
      try instructions("add", "`belfry add`, 100 items", add),
      try instructions("show", "`belfry show -n 20`, 100 items", show),
    ] + (try delivery(belfry))
  }

  // Stripped copies, as a package installs them; valgrind cannot read the debug information anyway.
  private func stripped() throws -> String {
    let folder = try bench.scratch.folder("stripped")
    for program in ["belfry", "belfryd", "belfry-web"] {
      let command = Command(
        program: try Surroundings.program("strip", package: "binutils"),
        arguments: ["-o", "\(folder)/\(program)", "\(bench.options.programs)/\(program)"],
        environment: Surroundings.variables(home: folder))
      _ = try command.output()
    }
    return folder
  }

  private func size(_ program: String, _ folder: String) throws -> Row {
    let bytes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(program)")[.size] as? Int ?? 0
    var row = Row("size-\(program)", "size of `\(program)`, stripped, with Swift's library inside", .mebibytes)
    row.add(Belfry.name, [Double(bytes) / 1_048_576])
    return row
  }

  private func instructions(_ key: String, _ what: String, _ command: Command) throws -> Row {
    var row = Row("instructions-\(key)", "instructions of \(what)", .millions)
    row.add(Belfry.name, [try Valgrind(bench).instructions(command) / 1e6])
    return row
  }

  // The difference between many and few deliveries, which excludes the daemon's start.
  private func delivery(_ belfry: Belfry) throws -> [Row] {
    let (few, many) = (100, 1_000)
    let stores = DeliveryStores(bench)
    func command(_ count: Int) throws -> Command { belfry.daemon(in: try stores.fresh(count), ["--once"]) }
    let valgrind = try Valgrind(bench)
    let allocations = try [few, many].map { try valgrind.allocations(command($0)) }
    var each = Row("allocations", "allocations a delivery to stdout, claimed and recorded", .count)
    each.add(Belfry.name, [(allocations[1] - allocations[0]) / Double(many - few)])
    var tick = Row("instructions-tick", "instructions of a tick of 1,000, `belfryd --once`", .millions)
    tick.add(Belfry.name, [try valgrind.instructions(command(many)) / 1e6])
    return [each, tick]
  }
}
