import Foundation
import Testing

@Suite("belfry keys")
struct KeysTests {
  private let box: Sandbox
  private var file: String { box.path("home/state/belfry/answer-keys") }

  init() throws { box = try Sandbox() }

  @Test("rotate makes the key file and adds a key each time, and prints none")
  func rotate() async throws {
    let first = try await box.belfry("keys", "rotate")
    #expect(first.isDone && first.messages == "Key 0 signs from now on; 0 older keys verify.\n", "\(first)")
    let second = try await box.belfry("keys", "rotate", "--json")
    let keys = try second.elements
    #expect(keys.map { $0["number"] } == [.integer(0), .integer(1)])
    #expect(keys[0]["expires_at"] != .null && keys[1]["expires_at"] == .null)
    #expect(keys.allSatisfy { $0.keys == ["number", "made_at", "expires_at"] })
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let secrets = box.text("home/state/belfry/answer-keys").matches(of: #/"key": "(.{43})"/#).map(\.output.1)
    #expect(secrets.count == 2)
    for secret in secrets { #expect(!second.output.contains(secret) && !first.messages.contains(secret)) }
  }

  @Test("a file named in the config is used, and one that cannot be used is told by doctor too")
  func unusable() async throws {
    try box.write(Sandbox.defaultConfig + "answers: { key_file: mine }\n", to: "belfry.yaml")
    try box.write("nonsense", to: "mine")
    #expect(chmod(box.path("mine"), 0o600) == 0)
    let damaged = try await box.belfry("keys", "rotate")
    #expect(damaged.status == 74 && damaged.messages.contains(box.path("mine")), "\(damaged)")
    let doctor = try await box.belfry("doctor", "--json")
    #expect(doctor.status == 74 && doctor.output.contains(box.path("mine")), "\(doctor)")
    #expect(chmod(box.path("mine"), 0o644) == 0)
    let open = try await box.belfry("keys", "rotate")
    #expect(open.status == 77 && open.messages.contains("chmod 600"), "\(open)")
    #expect(box.text("mine") == "nonsense")
  }
}
