import BelfryEngine
import BelfryModel
import BelfryRuntime
import OrderedJSON
import SystemThreads

/// The config in force, without secrets, with its warnings and the findings of `belfry doctor`.
struct ConfigPage: Sendable {
  let name: String
  /// The config as a complete file; empty if there is none.
  let lines: [EffectiveLine]
  let warnings: [String]
  let doctor: DoctorRun

  func add(to body: inout HTML) {
    addWarnings(to: &body)
    addFindings(to: &body)
    guard !lines.isEmpty else { return }
    body.markup("<section class=\"card\"><h2>In force</h2>\n")
    body.element("p", ["class": "hint"]) { body in
      body.add("With the defaults of missing keys, without secrets, and with the line of each key: ")
      body.element("code", name, ["dir": "auto"])
    }
    let attributes: KeyValuePairs<StaticString, String> = [
      "class": "dialogue", "tabindex": "0", "dir": "ltr", "aria-label": "The config",
    ]
    body.element("pre", attributes) { body in
      for line in lines {
        body.add(line.text.visibleLines)
        body.element("span", place(of: line), ["class": "place"])
      }
    }
    body.markup("</section>\n")
  }

  private func place(of line: EffectiveLine) -> String {
    let file = name.split(separator: "/").last.map { String($0).visibleLine } ?? name
    return line.position.map { "  # \(file):\($0.line)" } ?? "  # default"
  }

  private func addWarnings(to body: inout HTML) {
    guard !warnings.isEmpty else { return }
    body.markup("<section class=\"card\"><h2>Warnings</h2>\n<ul class=\"reasons\">\n")
    for warning in warnings { body.element("li", warning, ["dir": "auto"]) }
    body.markup("</ul></section>\n")
  }

  private func addFindings(to body: inout HTML) {
    body.markup("<section class=\"card\"><h2>What belfry doctor says</h2>\n")
    if let fault = doctor.fault { body.paragraph(fault, ["class": "error", "dir": "auto"]) }
    if !doctor.findings.isEmpty {
      body.markup("<ul class=\"rings\">\n")
      for finding in doctor.findings { add(finding, to: &body) }
      body.markup("</ul>\n")
    }
    body.markup("</section>\n")
  }

  private func add(_ finding: DoctorRun.Finding, to body: inout HTML) {
    body.element("li") { body in
      body.element("p") { body in
        body.element("span", finding.state, ["class": finding.state == "ok" ? "state" : "state bad"])
        body.element("strong", finding.check, ["dir": "auto"])
        body.element("span", finding.message, ["dir": "auto"])
      }
      if let advice = finding.advice {
        // It may begin with a command, whose case counts.
        body.paragraph(advice, ["class": "hint", "dir": "auto"])
      }
    }
  }
}

/// A run of `belfry doctor`, which makes the checks.
struct DoctorRun: Sendable {
  /// The result of one check.
  struct Finding: Sendable {
    let check: String
    let state: String
    let message: String
    let advice: String?
  }

  private(set) var findings: [Finding] = []
  /// The reason why there are no findings.
  private(set) var fault: String?

  /// Runs `belfry doctor`, after the runs of earlier visitors.
  ///
  /// - Parameter thread: the thread of all runs, so that only one program runs at a time, however many visitors there are.
  static func run(_ setup: WebSetup, on thread: TaskThread) async -> DoctorRun {
    let words = [setup.command, "doctor", "--json"] + (setup.source.map { ["--config=\($0)"] } ?? [])
    return await Task(executorPreference: thread) {
      do { return try DoctorRun(ProgramRun(words)) } catch {
        return DoctorRun(fault: (error as? BelfryError)?.line ?? "\(error)")
      }
    }.value
  }

  private init(_ run: ProgramRun) {
    // Findings make the command fail too, so its exit status is ignored.
    guard let found = (try? JSONValue(parsing: run.output.utf8))?.arrayValue else {
      fault = Self.words(run.messages.split(separator: "\n").first.map(String.init) ?? "belfry said nothing")
      return
    }
    findings = found.map { finding in
      let text = { (name: String) in finding.objectValue?[name]?.stringValue }
      return Finding(
        check: text("check") ?? "", state: text("state") ?? "", message: text("message") ?? "", advice: text("advice"))
    }
  }

  private init(fault: String) { self.fault = Self.words(fault) }

  private static func words(_ fault: String) -> String { "The checks could not be made: \(fault)" }
}
