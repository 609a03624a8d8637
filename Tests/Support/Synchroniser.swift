import Foundation

/// vdirsyncer between a folder of calendars and another place.
package struct Synchroniser {
  private let config: String

  /// vdirsyncer between two folders.
  ///
  /// - Parameter files: the folder of its own files.
  package init(_ folder: String, withFolder other: String, files: String) throws {
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try self.init(folder, with: "type = \"filesystem\"\npath = \"\(other)\"\nfileext = \".ics\"", files)
  }

  /// vdirsyncer between a folder and a server.
  package init(_ folder: String, with server: RadicaleServer, files: String) throws {
    let storage = "type = \"caldav\"\nurl = \"\(server.url)\"\nusername = \"me\"\npassword = \"x\""
    try self.init(folder, with: storage, files)
  }

  private init(_ folder: String, with other: String, _ files: String) throws {
    config = "\(files)/vdirsyncer"
    let text = """
      [general]
      status_path = "\(files)/status"
      [pair both]
      a = "here"
      b = "there"
      collections = ["from a", "from b"]
      conflict_resolution = "b wins"
      metadata = ["displayname"]
      [storage here]
      type = "filesystem"
      path = "\(folder)"
      fileext = ".ics"
      [storage there]
      \(other)

      """
    try text.write(toFile: config, atomically: true, encoding: .utf8)
  }

  /// Finds new lists on both sides, and makes them on the other.
  package func discover() throws { try run("discover", input: String(repeating: "y\n", count: 20)) }

  package func sync() throws { try run("sync") }

  private func run(_ command: String, input: String = "") throws {
    _ = try Program.output(["vdirsyncer", "--config", config, command], input: Data(input.utf8))
  }
}
