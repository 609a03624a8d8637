import BelfryEngine
import BelfryTestKit
import Foundation
import Testing

struct AppendingSinkFixture: SinkFixture {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("inbox"), withIntermediateDirectories: true)
  }

  func makeSink() -> any ReminderSink { AppendingSink(path: folder.file("inbox/rung.txt")) }

  func received() throws -> [ReceivedMessage] {
    let path = folder.file("inbox/rung.txt")
    guard let bytes = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      ReceivedMessage(identity: line.split(separator: "\t").first.map(String.init), text: String(line))
    }
  }

  func disconnect() throws { try FileManager.default.removeItem(atPath: folder.file("inbox")) }
}

@Suite struct AppendingSinkTests {
  @Test("the guide's sink keeps what every sink promises", arguments: SinkConformance.cases)
  func keepsPromise(promise: SinkConformance.Case) async throws {
    try await promise.run(AppendingSinkFixture())
  }
}
