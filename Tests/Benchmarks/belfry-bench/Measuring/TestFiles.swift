import Foundation

/// The folder `Tests` of the checkout that this program was built from.
enum TestFiles {
  private static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The path of a file in it.
  static func path(_ name: String) -> String { folder.appending(path: name).path }
}
