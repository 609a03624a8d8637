import Foundation
import Testing

/// The replies to one token, pressed at once over the web, for a program and for a browser, and by the command.
struct PressReplies {
  let json: WebReply
  let page: WebReply
  let command: Outcome

  init(to token: String, _ face: RunningWebFace) async throws {
    async let json = face.post("/a/\(token)")
    async let page = face.post("/a/\(token)", as: .page)
    async let command = face.box.belfry("answer", token, options: RunOptions(isUrgent: true))
    self.json = try #require(try await json)
    self.page = try #require(try await page)
    self.command = try await command
  }

  /// Expects a status over the web, in a problem and on a page under a heading, and one of the command. No reply names
  /// a place on the machine.
  func expect(_ status: Int, _ heading: String, command code: Int32, at location: SourceLocation = #_sourceLocation) {
    #expect(json.status == status && page.status == status, "\(self)", sourceLocation: location)
    #expect(json.fields["content-type"] == "application/problem+json", "\(json)", sourceLocation: location)
    #expect(page.body.contains("<h1>\(heading)</h1>"), "\(page)", sourceLocation: location)
    #expect(command.status == code, "\(command)", sourceLocation: location)
    for body in [json.body, page.body] {
      #expect(!body.contains("belfry-e2e"), "\(body)", sourceLocation: location)
    }
  }

  /// Expects that all of them say that the action was carried out.
  func expectDone(at location: SourceLocation = #_sourceLocation) {
    #expect(json.status == 200 && page.status == 200 && command.isDone, "\(self)", sourceLocation: location)
    #expect(json.body.contains(#""effect":"done""#), "\(json)", sourceLocation: location)
    #expect(page.notice?.contains("Nothing was changed") == false, "\(page)", sourceLocation: location)
  }
}
