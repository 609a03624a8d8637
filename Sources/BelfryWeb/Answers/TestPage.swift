import BelfryEngine
import Hummingbird

/// The page of a test message, which is in no store. The sender of the test waits for a press.
struct TestPage {
  let link: AnswerLink

  /// The page with the buttons of the test, that of the opened link first.
  func response(offering buttons: [LinkTest.Button]) -> Response {
    let front = Int(link.token.action)
    let ordered = buttons.filter { $0.action == front } + buttons.filter { $0.action != front }
    return .page("Belfry's test") { body in
      body.paragraph("Press a button: whoever sent the test is told that the press came back.")
      body.element("div", ["class": "buttons"]) { body in
        for (place, button) in ordered.enumerated() {
          body.element("div", ["class": place == 0 ? "first" : "next"]) { body in
            body.form(
              action: link.path(action: button.action), button: button.title, style: place == 0 ? "main" : "plain")
          }
        }
      }
    }
  }

  /// The reply to the press of a button.
  func response(to button: LinkTest.Button, asJSON: Bool) -> Response {
    guard asJSON else {
      return .page("The test works") { $0.paragraph("“\(button.title)” came back.", ["dir": "auto"]) }
    }
    return .json(["effect": "done", "reply": "the test works"])
  }
}
