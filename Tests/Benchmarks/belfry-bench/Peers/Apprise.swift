import Foundation

/// Apprise as a library in one Python process.
struct Apprise {
  let name = "Apprise"
  private static let script = """
    import sys, time, apprise
    sender = apprise.Apprise()
    assert sender.add(sys.argv[2])
    start = time.monotonic()
    for number in range(int(sys.argv[1])):
        assert sender.notify(body="Item %d" % number)
    print(int(sys.argv[1]) / (time.monotonic() - start))
    """
  private let folder: String

  init(_ bench: BenchRun) throws {
    folder = try bench.scratch.folder("apprise")
    let version = try Surroundings.packageVersion("apprise")
    bench.introduce(
      PeerDescription(name, version: version, "as a library in one Python process, one `notify` after another"))
  }

  /// The notifications sent in a second.
  func rate(_ count: Int, url: String) throws -> Double {
    try LimitPrograms.number(
      Command(
        program: "/usr/bin/python3", arguments: ["-c", Self.script, "\(count)", url],
        environment: Surroundings.variables(home: folder)))
  }
}
