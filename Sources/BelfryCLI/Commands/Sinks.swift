import ArgumentParser
import BelfryCore
import OrderedJSON

/// `belfry sinks`.
struct Sinks: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "sinks", abstract: "Show the sinks of the config.")

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options.common)
    let sections = session.assembly.configuration.sinks
    if options.json {
      try session.console.print(
        .array(
          sections.map {
            ["name": .string($0.name), "type": .string($0.type), "enabled": .bool($0.isEnabled)]
          }))
      return
    }
    guard !sections.isEmpty else { return session.console.tell("The config has no sinks: nothing will ring.") }
    let style = session.console.style
    var table = Table([.init(title: "Sink"), .init(title: "Type"), .init(title: "State")])
    for section in sections {
      table.append([
        Table.Cell(section.name), Table.Cell(section.type, style.dim),
        section.isEnabled ? Table.Cell("enabled") : Table.Cell("disabled", style.dim),
      ])
    }
    try session.console.print(
      table.lines(width: session.console.width, style: style).joined(separator: "\n"))
  }
}
