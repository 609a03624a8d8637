import ArgumentParser
import BelfryModel
import BelfryRuntime
import FoundationEssentials

/// `belfry manual`, which makes the manual pages and the config reference.
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "manual", abstract: "Print a manual page, or the config reference.",
    discussion: """
      belfry manual belfry.1 | man -l -
      belfry manual belfry-recipes.7 Recipes.md | man -l -
      """, shouldDisplay: false)

  private static let reference = "ConfigReference.md"

  @Argument(help: ArgumentHelp("The page, such as belfry.1, belfry.yaml.5 or ConfigReference.md.", valueName: "page"))
  var page: String

  @Argument(
    help: ArgumentHelp("The documentation article to make a page of section 7 from.", valueName: "article"),
    completion: .file())
  var article: String?

  @OptionGroup var options: CommonOptions

  func run() throws {
    try Console.write(source())
  }

  private func source() throws -> String {
    if page == Self.reference { return ConfigReference(Registry.schema).article }
    if let source = ManualPages.source(page, of: CommandOverview.commands) { return source }
    if let (name, source) = GuidePage.articles.first(where: { $0.0 == page }) {
      guard let article else {
        throw BelfryError(
          .usage, "\(name) is made from an article, which must be named", hint: "belfry manual \(name) \(source)")
      }
      return GuidePage.source(page, article: String(decoding: try InputFile.read(article), as: UTF8.self))
    }
    let known = (ManualPages.names + GuidePage.articles.map(\.0) + [Self.reference]).joined(separator: ", ")
    throw BelfryError(.notFound, "there is no page '\(page)'", hint: "there are \(known)")
  }
}
