import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime
import FoundationEssentials
import WebAccess

/// The sinks of the config, with their problems and their pending deliveries.
struct SinksPage: Sendable {
  /// The pending deliveries of a sink.
  struct Queue: Sendable {
    var pending = 0
    var next: Date?
  }

  let sinks: [SinkState]
  let queues: [String: Queue]
  let time: PageTime
  let scope: AccessScope

  func add(to body: inout HTML) {
    body.live("sinks") { body in
      guard !sinks.isEmpty else {
        return body.paragraph("The config has no channels: nothing will ring.", ["class": "empty"])
      }
      body.markup("<ul class=\"rings card\">\n")
      for sink in sinks { add(sink, to: &body) }
      body.markup("</ul>\n")
    }
  }

  private func add(_ sink: SinkState, to body: inout HTML) {
    let (name, isEnabled) = (sink.section.name, sink.section.isEnabled)
    let problems = sink.problems(time.planner.floatingZone)
    body.markup("<li><p><strong>")
    body.add(name)
    body.markup("</strong> ")
    body.element("span", sink.section.type)
    body.element(
      "span", problems != nil ? "has a problem" : isEnabled ? "enabled" : "switched off",
      ["class": problems == nil ? "state" : "state bad"])
    body.markup("</p>\n<p class=\"when\">")
    if let problems {
      body.element("strong", problems, ["dir": "auto"])
      body.element("span", sink.advice)
    }
    if sink.channel != nil { body.markup("<span>takes answers</span> ") }
    addQueue(queues[name], of: name, to: &body)
    body.markup("</p>\n")
    if isEnabled, scope.includes(.admin) {
      body.form(
        action: "/sinks/\(FormFields.encoded(name))/test", button: "Send a test to \(name)", style: "small",
        isWhole: true)
    }
    body.markup("</li>\n")
  }

  private func addQueue(_ queue: Queue?, of name: String, to body: inout HTML) {
    guard let queue else { return body.element("span", "nothing waits") }
    let next = queue.next.map { ", next attempt \(time.moment(.floating).short($0))" } ?? ""
    body.element(
      "a", "\(queue.pending) waiting\(next)",
      ["href": "/deliveries?state=pending&sink=\(FormFields.encoded(name))"])
  }
}

/// The result of a test of a sink.
struct SinkTestPage: Sendable {
  let name: String
  let run: SinkTestRun

  func add(to body: inout HTML) {
    body.markup("<section class=\"card\"><ul class=\"reasons\">\n")
    for result in run.results.arrayValue ?? [] {
      let words = ["outcome", "recipient", "reason"].map { result.objectValue?[$0]?.stringValue }
      let outcome = words[0] ?? "unknown"
      body.element("li") { body in
        body.element("span", outcome, ["class": outcome == "delivered" ? "state" : "state bad"])
        if let recipient = words[1] { body.element("span", "to \(recipient)", ["dir": "auto"]) }
        if let reason = words[2] { body.element("span", reason, ["dir": "auto"]) }
      }
    }
    body.markup("</ul></section>\n")
    guard !run.dialogue.isEmpty else { return }
    body.markup("<section class=\"card\"><h2>What was said</h2>\n")
    body.element("pre", run.dialogue.joined(separator: "\n"), ["class": "dialogue", "tabindex": "0", "dir": "ltr"])
    body.markup("</section>\n")
  }
}
