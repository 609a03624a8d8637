import Foundation
import TestSupport

/// vdirsyncer between a folder of calendars and another place.
struct Synchroniser {
  private let config: String

  /// vdirsyncer between the folder of a place and another folder, or a server.
  ///
  /// - Parameter other: the lines of its config for the other storage.
  init(_ place: Place, with other: String) throws {
    config = place.folder.file("vdirsyncer")
    let text = """
      [general]
      status_path = "\(place.folder.file("status"))"
      [pair both]
      a = "here"
      b = "there"
      collections = ["from a", "from b"]
      conflict_resolution = "b wins"
      metadata = ["displayname"]
      [storage here]
      type = "filesystem"
      path = "\(place.root)"
      fileext = ".ics"
      [storage there]
      \(other)

      """
    try text.write(toFile: config, atomically: true, encoding: .utf8)
  }

  /// Another folder as the other place.
  init(_ place: Place, withFolder folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try self.init(place, with: "type = \"filesystem\"\npath = \"\(folder)\"\nfileext = \".ics\"")
  }

  /// A server as the other place.
  init(_ place: Place, with server: RadicaleServer) throws {
    try self.init(place, with: "type = \"caldav\"\nurl = \"\(server.url)\"\nusername = \"me\"\npassword = \"x\"")
  }

  /// Finds new lists on both sides, and makes them on the other.
  func discover() throws { try run("discover", input: String(repeating: "y\n", count: 20)) }

  /// Brings both in step.
  func sync() throws { try run("sync") }

  private func run(_ command: String, input: String = "") throws {
    _ = try Program.output(["vdirsyncer", "--config", config, command], input: Data(input.utf8))
  }
}
