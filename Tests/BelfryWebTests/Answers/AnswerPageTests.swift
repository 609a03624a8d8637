import Foundation
import Testing

@testable import BelfryEngine
@testable import BelfryWeb

@Suite("The answer page")
struct AnswerPageTests {
  @Test("it says what rang, when and how late, and has a button for each action, the destructive one last and apart")
  func shows() async throws {
    let rung = try RungReminder(late: 301)
    let page = try await rung.page(rung.token())
    #expect(page.status == 200 && page["content-type"] == ["text/html; charset=utf-8"])
    for words in [
      #"<p class="list" dir="auto">Groceries</p>"#, #"<h1 dir="auto" class="short">Milk</h1>"#,
      "Saturday, 21 November 2026 at 09:00 CET (Europe/Zurich), <strong>overdue by 5 min</strong>",
      "Sat 21 Nov 2026 09:05 CET, <span>5 min late</span>", "<title>Milk – Belfry</title>",
      "This link works until Sat 28 Nov 2026 10:00 CET.", "Deletes &#39;Milk&#39;.", "You have to sign in first.",
    ] { #expect(page.body.contains(words), "\(words)") }
    let labels = PageForm.all(in: page.body).map(\.label)
    #expect(labels.dropFirst() == ["Done", "Later", "Noted", "Throw away"])
    let apart = try #require(page.body.firstRange(of: #"<section class="apart">"#))
    #expect(page.body[apart.upperBound...].contains("Throw away") && !page.body[apart.upperBound...].contains("Noted"))
  }

  @Test("of an item that rang on time it says the time once, as overdue until the item is checked")
  func times() async throws {
    let rung = try RungReminder()
    let now = try await rung.page(rung.token()).body
    #expect(now.contains("(Europe/Zurich), <span>now</span>") && !now.contains("Rang"))
    rung.server.time.advance(by: 7_500)
    #expect(try await rung.page(rung.token()).body.contains("<strong>overdue by 2 h 5 min</strong>"))
    let done = try await rung.press(1).body
    #expect(done.contains("(Europe/Zurich), <span>2 h 5 min ago</span>") && !done.contains("overdue"))
  }

  @Test("a link of an action brings that one to the front")
  func front() async throws {
    let rung = try RungReminder()
    let page = try await rung.page(rung.token(2))
    #expect(PageForm.all(in: page.body).map(\.label).dropFirst() == ["Later", "Done", "Noted", "Throw away"])
    let main = page.body.matches(of: #/class="main"[^>]*>(\w+)</#).map { String($0.1) }
    #expect(main == ["Later"])
    #expect(try rung.answers() == [])
  }

  @Test("looking changes nothing, however it is done", arguments: ["GET", "HEAD", "OPTIONS", "PROPFIND"])
  func looking(method: String) async throws {
    let rung = try RungReminder()
    let digest = try rung.digest()
    for action in UInt16(0)...4 {
      for suffix in ["", "/take-back", "/confirm", "/sign-in"] {
        _ = try await rung.server.reply(
          to: "\(method) /a/\(rung.token(action))\(suffix) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      }
    }
    #expect(try rung.digest() == digest)
    #expect(!FileManager.default.fileExists(atPath: rung.server.accessFile.path))
  }

  @Test("a press acts, says what was done and offers to take it back; doubled, it says the same again")
  func press() async throws {
    let rung = try RungReminder()
    let first = try await rung.press(1, latest: 0)
    #expect(first.status == 200 && first.body.contains("<h2 dir=\"auto\">Answered: Done</h2>"))
    #expect(first.body.contains("<title>Answered: Done – Milk – Belfry</title>"))
    #expect(first.body.contains("Checked &#39;Milk&#39;.") && first.body.contains("Take it back"))
    #expect(try rung.item() == "Milk checked")
    let digest = try rung.digest()
    for latest in [nil, 0, 1] as [Int64?] { #expect(try await rung.press(1, latest: latest).body == first.body) }
    #expect(try rung.digest() == digest && rung.answers() == ["done done"])
    let looked = try await rung.page(rung.token())
    #expect(looked.body.contains("Answered: Done") && looked.body.contains("Given over a link, Sat 21 Nov 2026 09:00"))
  }

  @Test("the link of a message to one person answers as that person, and the page says so")
  func person() async throws {
    let rung = try RungReminder()
    let anna = try rung.server.belfry.store.write { try $0.addPerson(named: "anna") }
    let done = try await rung.server.post("/a/\(rung.token(1, person: anna.number))", RungReminder.program)
    #expect(done.status == 200 && done.body.contains(#""person":"anna""#))
    #expect(try await rung.press(1).body.contains("&#39;done&#39; by Anna over link"))
    #expect(try await rung.page(rung.token()).body.contains("Given by Anna over a link, Sat 21 Nov 2026 09:00"))
  }

  @Test("taken back, it is spent: it acts once more only with the number of the latest answer, as the page sends it")
  func spent() async throws {
    let rung = try RungReminder()
    let done = try await rung.press(1, latest: 0)
    let form = try #require(PageForm.all(in: done.body).first { $0.label == "Take it back" })
    let back = try await rung.server.press(form)
    #expect(try back.status == 200 && back.body.contains("Taken back") && rung.item() == "Milk")
    #expect(try await rung.server.press(form).body == back.body)
    for latest in [nil, 0, 7] as [Int64?] {
      let spent = try await rung.press(1, latest: latest)
      #expect(spent.status == 409 && spent.body.contains("This was taken back Sat 21 Nov 2026 09:00"))
      #expect(try rung.item() == "Milk")
    }
    let again = try await rung.page(rung.token())
    let button = try #require(PageForm.all(in: again.body).first { $0.label == "Done" })
    #expect(button.body == "latest=1")
    #expect(try await rung.server.press(button).status == 200)
    #expect(try rung.item() == "Milk checked" && rung.answers() == ["done done", "done done"])
  }

  @Test("what is not stronger than the answer in force changes nothing, and says who answered, how and when")
  func already() async throws {
    let rung = try RungReminder()
    _ = try await rung.press(1)
    let late = try await rung.press(2)
    #expect(late.status == 200 && late.body.contains("Nothing was changed"))
    #expect(late.body.contains("Checked &#39;Milk&#39;: &#39;done&#39; by link, Sat 21 Nov 2026 09:00"))
    #expect(PageForm.all(in: late.body).map(\.label).dropFirst() == ["Take it back", "Throw away"])
  }

  @Test("of an item that was deleted the page says so, and offers nothing")
  func gone() async throws {
    let edit = CategoryAction(identifier: "edit", title: "Edit", operation: .edit)
    let rung = try RungReminder(actions: try RungReminder.actions().prefix(3) + [edit])
    #expect(try await rung.page(rung.token()).body.contains("Edit"))
    _ = try rung.server.belfry.delete([1])
    let page = try await rung.page(rung.token())
    #expect(page.status == 200 && page.body.contains("Milk") && page.body.contains("The item was deleted."))
    #expect(PageForm.all(in: page.body).count == 1)
    for action in [1, 4] as [UInt16] {
      let press = try await rung.press(action)
      #expect(press.status == 410 && press.body.contains("The item was deleted"))
    }
  }

  @Test("an action that only opens leads to the item's page; neither it nor the page itself is an answer")
  func noAnswer() async throws {
    let edit = CategoryAction(identifier: "edit", title: "Edit", operation: .edit)
    let rung = try RungReminder(actions: [edit])
    let digest = try rung.digest()
    let reply = try await rung.press(1)
    #expect(reply.status == 303 && reply["location"] == ["/items/1"])
    #expect(try await rung.page(rung.token(1)).status == 200)
    let path = "/reminders/\(rung.reminder.uuidString.lowercased())/actions/1"
    let cookie = try rung.session()
    let opened = try await rung.server.get(path, RungReminder.browser + cookie)
    #expect(opened.status == 303 && opened["location"] == ["/items/1"])
    let signedIn = try await rung.server.post(path, RungReminder.browser + cookie + "Sec-Fetch-Site: same-origin\r\n")
    #expect(signedIn.status == 303 && signedIn["location"] == ["/items/1"])
    #expect(try await rung.press(1, RungReminder.program).status == 422)
    #expect(try await rung.press(0).status == 422)
    #expect(try await rung.press(2).status == 404)
    #expect(try rung.digest() == digest)
  }

  @Test("an action that opens a list leads to the line that adds to it")
  func opensList() throws {
    let rung = try RungReminder()
    let sheet = try rung.server.belfry.sheet(of: rung.reminder)
    #expect(PressReply(.edit(.list(7)), over: sheet).opens == "/lists/7#f-line")
    #expect(PressReply(.edit(.item(7)), over: sheet).opens == "/items/7")
  }

  @Test("what a press did not change leaves the answer in force on the page, once and with its way back")
  func besideAnAnswer() async throws {
    let noted = CategoryAction(identifier: "noted", title: "Noted", operation: .acknowledge)
    let pay = CategoryAction(identifier: "pay", title: "Pay", operation: .check, requiresAuthentication: true)
    let rung = try RungReminder(actions: [noted, pay])
    let first = try await rung.press(1).body
    let second = try await rung.press(2).body
    #expect(second.contains("<title>Sign in first – Milk"))
    for body in [first, second] {
      #expect(body.matches(of: /Answered: Noted<\/h2>/).count == 1 && body.contains("Take it back"))
    }
  }

  @Test("a program that asks for JSON gets the answer as --json has it, and problems")
  func json() async throws {
    let rung = try RungReminder()
    let done = try await rung.press(1, RungReminder.program)
    #expect(done.status == 200 && done["content-type"] == ["application/json"])
    #expect(done.body.hasPrefix(#"{"id":1,"reminder_id":""#) && done.body.contains(#""effect":"done""#))
    #expect(try await rung.press(1, RungReminder.program).body == done.body)
    #expect(try await rung.press(2, RungReminder.program).body.contains(#""effect":"already""#))
    let refused = try await rung.press(4, RungReminder.program)
    #expect(refused.status == 403 && refused["content-type"] == ["application/problem+json"])
    _ = try rung.server.belfry.takeBack(1)
    let spent = try await rung.press(1, RungReminder.program)
    #expect(spent.status == 409 && spent.body.contains("latest=3"))
    #expect(try await rung.press(1, latest: 3, RungReminder.program).status == 200)
  }

  @Test("hostile, long and right-to-left texts are shown as texts")
  func texts() async throws {
    let text = "<script>alert(1)</script>\"'&\u{202E}שלום" + String(repeating: "x", count: 3_000)
    let rung = try RungReminder(text, list: "<b>\u{202E}list", notes: "<b>1.\n  two white ones")
    let page = try await rung.page(rung.token())
    #expect(page.status == 200 && !page.body.contains("<script") && !page.body.contains("<b>"))
    #expect(page.body.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"))
    #expect(page.body.contains(#"<h1 dir="auto" class="long">"#))
    let undirected = #/<(?:p class="list"|div class="notes"|h1|button)(?![^>]*(?:dir="auto"|tabindex))[^>]*>/#
    #expect(page.body.matches(of: undirected).isEmpty)
  }

  @Test("notes keep their lines, and stand between the buttons and what destroys")
  func notes() async throws {
    let rung = try RungReminder(notes: "1. two white ones\n   (on Sundays one)\n")
    let page = try await rung.page(rung.token()).body
    let notes = #"<div class="notes" dir="auto">1. two white ones\#n   (on Sundays one)"#
    let places = [">Noted</button>", notes, ">Throw away</button>"].compactMap { page.firstRange(of: $0)?.lowerBound }
    #expect(places.count == 3 && places == places.sorted())
  }

  @Test("nothing is loaded from elsewhere, and nothing of the link goes there")
  func fields() async throws {
    let rung = try RungReminder()
    for reply in [try await rung.page(rung.token()), try await rung.press(2), try await rung.page("bad")] {
      #expect(reply["referrer-policy"] == ["no-referrer"] && reply["cache-control"] == ["no-store"])
      #expect(reply["x-robots-tag"] == ["noindex"] && reply["set-cookie"] == [])
      #expect(!reply.body.contains("http:") && !reply.body.contains("https:") && !reply.body.contains("<script"))
      let style = try #require(reply.body.firstMatch(of: #/<link rel="stylesheet" href="([^"]+)">/#)?.1)
      let sheet = try await rung.server.get(String(style))
      #expect(sheet.status == 200 && sheet["content-type"] == ["text/css; charset=utf-8"])
      #expect(sheet["cache-control"].first?.contains("immutable") == true && !sheet.body.contains("url("))
    }
  }
}
