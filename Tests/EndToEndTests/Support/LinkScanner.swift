import Foundation
import Testing

/// Programs that open every link of a message before a person does.
enum LinkScanner: CustomTestStringConvertible, Sendable {
  /// curl, with the methods that look, with and without following redirects, and as a browser that fetches ahead.
  case requests
  /// Chromium, which runs scripts, and whose clock runs on for ten minutes on each page.
  case browser
  /// A robot that presses every control of every page in an order that `robot.py` knows.
  case robot(String)

  static let robots = ["document", "reverse", "take-back-first", "1", "2", "3"].map { LinkScanner.robot($0) }

  var testDescription: String {
    switch self {
    case .requests: "requests"
    case .browser: "browser"
    case .robot(let order): "robot \(order)"
    }
  }

  /// Opens links, and returns its report.
  func open(_ links: [String], in box: Sandbox) async throws -> [JSON] {
    switch self {
    case .browser: return try await box.fixture("browser.py", ["look", "600"] + links)
    case .robot(let order): return try await box.fixture("robot.py", [order] + links)
    case .requests:
      let outcome = try await box.run([Programs.shell, "-c", Self.script, "bash"] + links, RunOptions())
      try #require(outcome.isDone, "\(outcome)")
      return try outcome.output.split(separator: "\n").map { try JSON(String($0)) }
    }
  }

  private static let script = """
    set -e
    look() { curl -sS -o /dev/null -w '{"method":"%{method}","status":%{http_code}}\\n' "$@"; }
    for link; do
      for follow in --no-location --location; do
        look $follow "$link"
        look $follow --head "$link"
        look $follow -X OPTIONS "$link"
        look $follow -H 'Sec-Purpose: prefetch;prerender' -H 'Purpose: prefetch' "$link"
      done
    done
    """
}
