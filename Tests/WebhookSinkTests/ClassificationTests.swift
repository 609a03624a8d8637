import BelfryEngine
import Foundation
import Testing
import Transport

@testable import WebhookSink

private let now = Date(timeIntervalSince1970: 784_111_777)

@Suite("What an answer over HTTP means")
struct ClassificationTests {
  private func outcome(_ status: Int, isGood: Bool = true, _ fields: [HTTPField] = [], body: String = "")
    -> DeliveryOutcome
  {
    ResponseClassification.outcome(
      HTTPResponse(status: status, fields: fields, body: Array(body.utf8)), isGood: isGood, now: now)
  }

  @Test("2xx is delivered", arguments: [200, 201, 202, 204, 206, 299])
  func delivered(status: Int) { #expect(outcome(status) == .delivered(reply: "HTTP \(status)")) }

  @Test("a 2xx without the expected body is a failure that needs the user")
  func notGood() {
    guard case .later(let reason, nil, true) = outcome(200, isGood: false, body: "<html>Sign in</html>") else {
      Issue.record("not later")
      return
    }
    #expect(reason.hasPrefix("HTTP 200, ") && !reason.contains("<html>"))
  }

  @Test("408, 425, 429 and 503 are later", arguments: [408, 425, 429, 503])
  func later(status: Int) {
    #expect(outcome(status, body: "busy\nnow") == .later(reason: "HTTP \(status): busy\nnow"))
  }

  @Test("after 424 or another 5xx it may have been accepted", arguments: [424, 500, 501, 502, 504, 507, 599, 100, 199])
  func unknown(status: Int) {
    guard case .unknown(let reason, nil) = outcome(status, body: "busy\nnow") else {
      Issue.record("not unknown: \(outcome(status))")
      return
    }
    #expect(reason.hasPrefix("HTTP \(status)") && reason.hasSuffix(": busy\nnow"))
  }

  @Test("401, 403 and 407 are later, and need the user", arguments: [401, 403, 407])
  func notLetIn(status: Int) {
    guard case .later(_, nil, true) = outcome(status) else {
      Issue.record("\(outcome(status))")
      return
    }
  }

  @Test(
    "3xx and every other 4xx are never",
    arguments: [300, 301, 302, 303, 304, 307, 308, 399, 400, 402, 404, 405, 406, 409, 411, 413, 415, 422, 451, 499])
  func never(status: Int) {
    guard case .never(_, false) = outcome(status) else {
      Issue.record("\(outcome(status))")
      return
    }
  }

  @Test("only a redirect is called one", arguments: [300, 301, 302, 303, 304, 305, 307, 308])
  func redirects(status: Int) {
    let isRedirect = ![300, 304, 305].contains(status)
    #expect("\(outcome(status))".contains("redirects are not followed") == isRedirect, "\(outcome(status))")
  }

  @Test("410 is never, and pauses the sink")
  func gone() {
    guard case .never(let reason, true) = outcome(410, body: "channel_is_archived") else {
      Issue.record("\(outcome(410))")
      return
    }
    #expect(reason.contains("channel_is_archived"))
  }

  @Test("Retry-After counts wherever an attempt is made later")
  func retryAfter() {
    for status in [401, 429, 503] {
      guard case .later(_, let instant, _) = outcome(status, [HTTPField("retry-AFTER", "120")]) else { continue }
      #expect(instant == now + 120, "\(status)")
    }
    #expect(outcome(502, [HTTPField("Retry-After", "120")]) == .unknown(reason: "HTTP 502", retryAfter: now + 120))
    #expect(outcome(200, [HTTPField("Retry-After", "120")]).isDelivered)
  }
}

@Suite("Retry-After")
struct RetryAfterTests {
  @Test(
    "seconds, and the three forms of an HTTP-date",
    arguments: [
      ("0", 0.0), ("120", 120), ("  90 \t", 90), ("Sun, 06 Nov 1994 08:51:37 GMT", 120),
      ("Sunday, 06-Nov-94 08:51:37 GMT", 120), ("Sun Nov  6 08:51:37 1994", 120), ("Mon Nov 07 08:49:37 1994", 86_400),
    ])
  func read(field: String, seconds: Double) {
    #expect(RetryAfter.instant(field, now: now) == now + seconds)
  }

  @Test(
    "what is absurd is bounded: the past is now, and nothing is further off than a day",
    arguments: [
      ("86401", 86_400.0), ("999999999999999999999999999", 86_400), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sunday, 06-Nov-93 08:51:37 GMT", 0),
      // 2045 would be over 50 years ahead, so it means 1945.
      ("Tuesday, 06-Nov-45 08:51:37 GMT", 0), ("Sunday, 06-Nov-44 08:51:37 GMT", 86_400),
    ])
  func bounded(field: String, seconds: Double) {
    #expect(RetryAfter.instant(field, now: now) == now + seconds)
  }

  @Test(
    "anything else is not there",
    arguments: [
      "", " ", "-1", "1.5", "12s", "soon", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 94 08:49:37 GMT", "06 Nov 1994", String(repeating: "9", count: 65),
      "Sun, 06 NOV 1994 08:49:37 GMT", "Sun Nov 6 08:49 1994", "1994-11-06T08:49:37Z",
    ])
  func refused(field: String) { #expect(RetryAfter.instant(field, now: now) == nil) }
}
