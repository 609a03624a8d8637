import ArgumentParser
import BelfryModel
import BelfryRuntime
import ConfigSamples

/// The manual pages, made from the declarations of commands and config keys.
enum ManualPages {
  /// The pages by their file names.
  static let names = ["belfry.1", "belfryd.1", "belfry-web.1", "belfry.yaml.5"]

  /// Every page, in the form in which the pages name each other.
  static let everyPage = [
    "belfry(1)", "belfryd(1)", "belfry-web(1)", "belfry.yaml(5)", "belfry-concepts(7)", "belfry-recipes(7)",
  ]

  /// The source of a page; `nil` for an unknown name.
  ///
  /// - Parameter commands: the commands of `belfry`.
  static func source(_ name: String, of commands: [any ParsableCommand.Type]) -> String? {
    switch name {
    case "belfry.1": belfry(commands).text
    case "belfryd.1": belfryd.text
    case "belfry-web.1": web.text
    case "belfry.yaml.5": config.text
    default: nil
    }
  }

  private static func belfry(_ commands: [any ParsableCommand.Type]) -> RoffPage {
    var page = RoffPage(name: "belfry", section: 1, version: BelfryVersion.current)
    page.name("belfry", "checklists that ring")
    page.synopsis("belfry COMMAND [OPTION]... [ARGUMENT]...")
    page.heading("DESCRIPTION")
    page.paragraph(
      """
      belfry manages checklists with reminders: a store keeps the items, sinks deliver the reminders, one config \
      connects them, and belfryd(1) runs them. Data goes to standard output, messages go to standard error.
      """)
    page.heading("COMMANDS")
    for command in commands { describe(command, "belfry", &page) }
    page.heading("OPTIONS OF EVERY COMMAND")
    for option in commonOptions { page.item(option.label, option.words) }
    page.heading("TIMES, DURATIONS AND REPEATS")
    for paragraph in ManualText.times { page.paragraph(paragraph) }
    for (title, paragraphs) in ManualText.subjects {
      page.heading(title)
      for paragraph in paragraphs { page.paragraph(paragraph) }
    }
    finish(&page, seeAlso: everyPage.dropFirst().joined(separator: ", "))
    return page
  }

  private static var belfryd: RoffPage {
    let description = """
      belfryd delivers what is due in each minute to the sinks of the config, and records the outcomes. Each store \
      has one daemon. 'belfry run' runs it in the foreground, 'belfry service install' as a service of systemd.
      """
    return program(
      "belfryd", "the daemon that delivers reminders", runBy: Run.self, description: [description],
      signals: ManualText.signals, service: [ManualText.service],
      seeAlso: "belfry(1), belfry-web(1), belfry.yaml(5), systemd.service(5)")
  }

  private static var web: RoffPage {
    program(
      "belfry-web", "the web face of belfry", runBy: Web.self, description: ManualText.web,
      signals: ManualText.webSignals, service: ManualText.webService,
      seeAlso: "belfry(1), belfryd(1), belfry.yaml(5), systemd.socket(5)")
  }

  // A program and the command that runs it have the same options.
  private static func program(
    _ name: String, _ summary: String, runBy command: any ParsableCommand.Type, description: [String],
    signals: [(label: String, words: String)], service: [String], seeAlso: String
  ) -> RoffPage {
    var page = RoffPage(name: name, section: 1, version: BelfryVersion.current)
    page.name(name, summary)
    page.synopsis("\(name) [OPTION]...")
    page.heading("DESCRIPTION")
    for paragraph in description { page.paragraph(paragraph) }
    page.heading("OPTIONS")
    for option in CommandParameters(of: command).own { page.item(option.label, option.abstract) }
    for option in commonOptions where option.isOfDaemon { page.item(option.label, option.words) }
    page.heading("SIGNALS")
    for signal in signals { page.item(signal.label, signal.words) }
    page.heading("SERVICE")
    for paragraph in service { page.paragraph(paragraph) }
    finish(&page, seeAlso: seeAlso)
    return page
  }

  private static var config: RoffPage {
    var page = RoffPage(name: "belfry.yaml", section: 5, version: BelfryVersion.current)
    page.name("belfry.yaml", "the config of belfry, belfryd and belfry-web")
    page.heading("DESCRIPTION")
    page.paragraph(plain(ConfigReference.introduction))
    page.paragraph(plain(ConfigReference.secrets))
    for part in ConfigReference(Registry.schema).parts {
      page.heading(part.title)
      page.paragraph(plain(part.summary))
      for row in part.rows {
        let standard = row.standard.map { " Default: \($0)." } ?? (row.isRequired ? " Required." : "")
        page.item(row.key, "\(plain(row.summary)) Value: \(row.value).\(standard)")
      }
    }
    page.heading("EXAMPLE")
    page.example(
      ConfigSamples.complete.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
    page.heading("SEE ALSO")
    page.paragraph("belfry(1), belfryd(1), belfry-web(1), belfry-concepts(7), belfry-recipes(7)")
    return page
  }

  private static func describe(_ command: any ParsableCommand.Type, _ parent: String, _ page: inout RoffPage) {
    let configuration = command.configuration
    guard configuration.shouldDisplay else { return }
    let path = "\(parent) \(configuration.commandName ?? "")"
    let inner = configuration.subcommands.filter { $0 != configuration.defaultSubcommand }
    if inner.isEmpty || configuration.defaultSubcommand != nil {
      let parameters = CommandParameters(of: command)
      let words = parameters.required + (parameters.hasOptions ? ["[OPTION]..."] : []) + parameters.positional
      page.subheading(([path] + words).joined(separator: " "))
      page.paragraph(configuration.abstract)
      for paragraph in configuration.discussion.split(separator: "\n\n") {
        let lines = paragraph.split(separator: "\n").map(String.init)
        if lines.contains(where: { $0.hasPrefix("belfry ") }) {
          page.example(lines)
        } else {
          page.paragraph(lines.joined(separator: " "))
        }
      }
      for parameter in parameters.own { page.item(parameter.label, parameter.abstract) }
    }
    for command in inner { describe(command, path, &page) }
  }

  private static let commonOptions: [(label: String, words: String, isOfDaemon: Bool)] = [
    ("--config FILE", "The config file.", true),
    ("--json", "Print one JSON document; for commands that read or change data.", false),
    ("--color WHEN", "Colour: auto, always or never.", false),
    ("-h, --help", "Print help.", true),
    ("--version", "Print the version.", true),
  ]

  private static func finish(_ page: inout RoffPage, seeAlso: String) {
    page.heading("EXIT STATUS")
    for status in ManualText.statuses { page.item(status.label, status.words) }
    page.heading("ENVIRONMENT")
    for variable in ManualText.variables { page.item(variable.label, variable.words) }
    page.heading("FILES")
    for file in ManualText.files { page.item(file.label, file.words) }
    page.heading("SEE ALSO")
    page.paragraph(seeAlso)
  }

  private static func plain(_ text: String) -> String { text.replacing("`", with: "") }
}
