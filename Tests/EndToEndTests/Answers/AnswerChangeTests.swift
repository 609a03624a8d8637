import Foundation
import TestSupport
import Testing

/// An item has rung at a webhook, which keeps its links. Then something else than the item changes.
@Suite("Answers after a change between the message and the press")
struct AnswerChangeTests {
  private static let store = DiskStore.sqlite
  private static let keys = "home/state/belfry/answer-keys"

  private let server: HTTPCollector
  private let box: Sandbox

  init() throws {
    server = try HTTPCollector()
    box = try Sandbox(config: RungItem.config(Self.store.config, server))
  }

  @Test("the clock was set back before the ringing: a press counts, and can be taken back; set forward, the link ends")
  func clock() async throws {
    try await box.json("add", "Milk", "--due", "09:00", "--nag", "1h", at: "2026-11-21 08:00:00")
    try await box.belfry("run", "--once", options: .at("2026-11-21 09:00:05")).requireDone()
    let item = try RungItem(JSON(try #require(try server.received().first).text))
    let early = try await box.webFace([], .at("2026-11-21 08:30:00"))
    #expect(try await early.get(item.page)?.status == 200)
    let snoozed = try #require(try await early.post("/a/\(item.tokens[1])"))
    #expect(snoozed.status == 200 && snoozed.body.contains(#""at":"2026-11-21T08:30:"#), "\(snoozed)")
    let pending = try #require(try await box.json("pending").elements)
    #expect(pending.map { $0["fire_date"]?.text?.hasPrefix("2026-11-21T08:4") } == [true], "\(pending)")
    let back = try #require(try await early.post(item.page + "/take-back", "answer=1", as: .page))
    #expect(back.status == 200 && back.notice?.hasPrefix("Taken back: ") == true, "\(back)")
    #expect(await early.stop() == .exited(0))

    let late = try await box.webFace([], .at("2026-12-05 09:00:00"))
    #expect(try await late.post("/a/\(item.tokens[0])")?.status == 410)
    #expect(try await late.get(item.page)?.body.contains("This link has expired") == true)
    #expect(await late.stop() == .exited(0))
    let again = try await box.webFace([], .at("2026-11-21 08:59:00"))
    #expect(try await again.post("/a/\(item.tokens[0])")?.status == 200)
    #expect(try await box.json("answers").elements?.map { $0["effect"] } == [.text("done"), .text("done")])
    // An answered reminder does not ring again when the clock reaches its time once more.
    try await box.belfry("run", "--once", options: .at("2026-11-21 10:30:00")).requireDone()
    #expect(try server.received().count { try JSON($0.text)["type"] == .text("reminder.fired") } == 1)
  }

  @Test("the keys are lost, damaged, open to others, or restored from an old copy: what they did not sign is refused")
  func keys() async throws {
    let first = try await RungItem.ring(box, server)
    let old = box.data(Self.keys)
    try await box.belfry("keys", "rotate").requireDone()
    let second = try await RungItem.ring(box, server)
    let new = box.data(Self.keys)
    let face = try await box.webFace()

    try FileManager.default.removeItem(atPath: box.path(Self.keys))
    try await PressReplies(to: first.tokens[0], face).expect(404, "Not found", command: 65)
    #expect(!FileManager.default.fileExists(atPath: box.path(Self.keys)))
    try putKeys(Data("rubbish".utf8))
    try await PressReplies(to: first.tokens[0], face).expect(500, "Not now", command: 74)
    #expect(box.text(Self.keys) == "rubbish")
    try putKeys(new, mode: 0o644)
    try await PressReplies(to: first.tokens[0], face).expect(500, "Not now", command: 77)
    #expect(face.log.contains(box.path(Self.keys)) && !face.log.contains(first.tokens[0]))

    try putKeys(old)
    try await PressReplies(to: second.tokens[0], face).expect(404, "Not found", command: 65)
    #expect(try await box.json("answers") == .array([]))
    try await PressReplies(to: first.tokens[0], face).expectDone()
    try putKeys(new)
    try await PressReplies(to: second.tokens[0], face).expectDone()
    #expect(try await box.json("answers").elements?.count == 2)
  }

  private func putKeys(_ content: Data, mode: mode_t = 0o600) throws {
    try box.write(content, to: Self.keys)
    #expect(chmod(box.path(Self.keys), mode) == 0)
  }

  @Test("the category was edited: what the message offered is done, unless it has become stricter")
  func category() async throws {
    let config = box.text("belfry.yaml")
    let category = """
      categories:
        errand:
          actions:
            - { identifier: go, title: Go, do: check }
            - { identifier: later, title: Later, do: snooze, for: 1h }
            - { identifier: heard, title: Heard, do: acknowledge }

      """
    try box.write(config + category, to: "belfry.yaml")
    let item = try await RungItem.ring(box, server, "--category", "errand")
    let face = try await box.webFace()
    let edited = category.replacing("do: check", with: "do: check, authentication_required: true")
      .replacing("for: 1h", with: "for: 2h").replacing(#/ *- { identifier: heard.*\n/#, with: "")
    try box.write(config + edited, to: "belfry.yaml")
    face.process.send(SIGHUP)
    try await face.waitForLog("the config was reloaded")

    let heard = try #require(try await face.post("/a/\(item.tokens[2])"))
    #expect(heard.status == 200 && heard.body.contains(#""do":"acknowledge""#), "\(heard)")
    let later = try #require(try await face.post("/a/\(item.tokens[1])"))
    let answeredAt = try #require(try JSON(later.body).moment("at"), "\(later)")
    let next = try #require(try await box.json("pending").elements?.first?.moment("fire_date"))
    #expect(3_500...3_700 ~= next - answeredAt, "snoozed for \(next - answeredAt) s")
    let go = try #require(try await face.post("/a/\(item.tokens[0])"))
    #expect(go.status == 403 && go.fields["content-type"] == "application/problem+json", "\(go)")
    #expect(try await face.get(item.page)?.body.contains("You have to sign in first.") == true)
    #expect(try await box.belfry("answer", item.tokens[0]).status == 77)
    #expect(try await box.ids("show") == [1])
  }

  @Test("the store was copied to another: the copy knows each answer, replies alike, and changes nothing here")
  func copied() async throws {
    let item = try await RungItem.ring(box, server)
    let here = try await box.webFace()
    let reply = try #require(try await here.post("/a/\(item.tokens[1])"))
    #expect(reply.status == 200 && reply.body.contains(#""effect":"done""#), "\(reply)")
    #expect(await here.stop() == .exited(0))
    let own = try await [box.json("answers"), box.json("pending"), box.json("show")]
    try box.write(RungItem.config(DiskStore.json.config, server), to: "other.yaml")
    try await box.belfry("store", "copy", "--to", "other.yaml").requireDone()

    let there = try await box.webFace(["--config", "other.yaml"])
    #expect(try await there.post("/a/\(item.tokens[1])")?.body == reply.body)
    let back = try #require(try await there.post(item.page + "/take-back", "answer=1", as: .page))
    #expect(back.status == 200 && back.notice?.hasPrefix("Taken back: ") == true, "\(back)")
    #expect(try await there.post("/a/\(item.tokens[1])")?.status == 409)
    #expect(try await there.post("/a/\(item.tokens[0])")?.status == 200)
    #expect(try await box.json("answers", "--config", "other.yaml").elements?.count == 2)
    #expect(try await [box.json("answers"), box.json("pending"), box.json("show")] == own)
  }
}
