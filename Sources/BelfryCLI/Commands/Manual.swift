import ArgumentParser
import BelfryModel
import BelfryPlugins
import FoundationEssentials

/// `belfry manual`, which makes the manual pages and the config reference.
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print a manual page, or the config reference.",
    discussion: """
      belfry manual belfry.1 | man -l -
      """, shouldDisplay: false)

  private static let reference = "ConfigReference.md"

  @Argument(
    help: ArgumentHelp(
      "The page: belfry.1, belfryd.1, belfry-web.1, belfry.yaml.5 or ConfigReference.md.", valueName: "page"))
  var page: String

  @OptionGroup var options: CommonOptions

  func run() throws {
    let text = page == Self.reference ? ConfigReference(Registry.schema).article : ManualPages.source(page)
    guard let text else {
      let known = (ManualPages.names + [Self.reference]).joined(separator: ", ")
      throw BelfryError(.notFound, "there is no page '\(page)'", hint: "there are \(known)")
    }
    try Console.write(text)
  }
}
