import Foundation
import TestSupport
import Testing

@Suite("The pages of the web face, in a browser")
struct WebPagesTests {
  @Test("a person signs in, adds, sees what others change, uses keys, reads, adds and edits offline, and signs out")
  func person() async throws {
    let box = try Sandbox()
    let told = try await box.fixture(
      "pages.py", [try Programs.belfry, try Programs.belfryWeb, box.path("belfry.yaml")])
    let steps = Dictionary(told.compactMap { line in line["step"]?.text.map { ($0, line) } }) { first, _ in first }
    let items = steps.mapValues { line in line["items"]?.elements?.compactMap(\.text) }
    #expect(items["signed in"] == ["Milk"])
    #expect(items["added by words"] == ["Milk", "Buy bread"])
    #expect(items["changed by a command"] == ["Milk", "Buy bread", "Eggs"])
    #expect(steps["changed by a command"]?["notice"]?.text?.hasSuffix("Eggs was added") == true)
    #expect(steps["what was typed is kept"]?["text"] == .text("f-line half"))
    #expect(items["moved by keys"] == ["Buy bread", "Milk", "Eggs"])
    #expect(items["checked by a key"] == ["Milk", "Eggs"])
    #expect(items["undone by a key"] == ["Buy bread", "Milk", "Eggs"])
    #expect(steps["switched off"]?["text"] != .text("f-line"))
    #expect(items["read offline"] == ["Buy bread", "Milk", "Eggs"])
    #expect(steps["checked offline"]?["notice"]?.text?.contains("sent later") == true)
    #expect(steps["the agenda offline"]?["text"] == .text("/agenda"))
    for step in ["added offline", "edited offline"] {
      #expect(steps[step]?["notice"]?.text?.contains("sent later") == true, "\(step)")
    }
    #expect(steps["told of the conflict"]?["notice"]?.text?.contains("Not saved: Change: Rye bread") == true)
    let left = steps["what is left"]?["text"]?.text ?? ""
    #expect(left.contains("Rye bread") && !left.contains("Duck eggs") && left.hasSuffix("Choose what to keep"))
    #expect(left.contains("Add: Nuts tomorrow"))
    let buttons = steps["what can be done"]?["buttons"]?.elements?.compactMap(\.text)
    #expect(buttons == ["Choose what to keep", "Discard", "Discard"])
    #expect(steps["still kept"]?["text"]?.text?.contains("Change: Rye bread") == true)
    #expect(steps["to choose"]?["text"] == .text("keep_text"))
    #expect(items["sent later"] == ["White bread", "Duck eggs", "Cheese"])
    #expect(try await box.ids("show") == [2, 3, 4])
    #expect(steps["signed out"]?["left"]?.elements == [.integer(0), .integer(0), .integer(0)])
  }

  @Test("a person adds by picker, snoozes, answers and retries, and what one window changes another shows")
  func flows() async throws {
    let told = try await Sandbox().fixture("flows.py", [Programs.folder.path])
    let steps = Dictionary(told.compactMap { line in line["step"]?.text.map { ($0, line) } }) { first, _ in first }
    let rows = steps.mapValues { line in line["rows"]?.elements?.compactMap(\.text) }
    let text = { (step: String, name: String) in steps[step]?[name]?.text ?? "" }
    #expect(rows["signed in"] == ["Sweep", "Dust", "Mop", "Iron", "Bins"])
    let added = steps["added by picker"]
    #expect(added?["item"]?["due_local"] == .text("2031-03-04T17:30") && added?["path"] == .text("/lists/1"))
    #expect(text("added by picker", "echo").contains("Tue 4 Mar 2031 17:30 CET"))
    #expect(text("added by picker", "echo").contains("every 2 weeks"))
    #expect(rows["checked in one window"] == ["Dust", "Mop", "Iron", "Bins", "Windows"])
    #expect(rows["undone in one window"] == ["Sweep", "Dust", "Mop", "Iron", "Bins", "Windows"])
    for step in ["checked in one window", "undone in one window"] {
      #expect(text(step, "focus") == "i2 check", "\(step)")
    }
    #expect(text("the line with the focus has gone", "focus") == "i3 check")
    #expect(rows["moved by a menu"] == ["Sweep", "Iron", "Mop", "Bins", "Windows"])
    #expect(steps["given up"]?["count"] == .integer(1))
    #expect(text("retried", "course").contains("refused: HTTP 400") && text("retried", "course").contains("HTTP 200"))
    let said = steps["snoozed by a key"]?["said"]?.elements?.compactMap(\.text)
    #expect(said?.first?.hasPrefix("It has not rung yet: Sweep.") == true, "\(String(describing: said))")
    #expect(said?.last?.hasPrefix("Snoozed: Bins.") == true, "\(String(describing: said))")
    #expect(steps["a reader's keys"]?["keys"]?.elements?.compactMap(\.text) == ["/", "j", "k", "?"])
    #expect(text("snoozed", "status").contains("Snoozed: Bins."))
    let early = steps["snoozed early"]?["said"]?.elements?.compactMap(\.text)
    #expect(early?.count == 2 && early?.allSatisfy { $0.hasPrefix("It has not rung yet: Later.") } == true)
    #expect(steps["snoozed early"]?["rings"]?.elements?.count == 1)
    #expect(text("answered", "text").contains("Answered: Done"))
    #expect(steps["answered"]?["item"]?["is_checked"] == .bool(true))
    #expect(text("lost", "text").contains("Your session has ended") && text("lost", "text").contains("Add: Lost"))
    #expect(text("revoked", "text").contains("Not signed in"))
    #expect(steps["signed out"]?["left"]?.elements == [.integer(0), .integer(0), .integer(0)])
  }

  @Test("a change whose reply is lost counts once, copies are renewed, and who signs out offline leaves nothing behind")
  func offline() async throws {
    let told = try await Sandbox().fixture("offline.py", [Programs.folder.path])
    let steps = Dictionary(told.compactMap { line in line["step"]?.text.map { ($0, line) } }) { first, _ in first }
    let items = steps.mapValues { line in line["items"]?.elements?.compactMap(\.text) }
    #expect(steps["added once"]?["kept"]?.text?.contains("Add: Bread") == true)
    #expect(items["added once"]??.filter { $0 == "Bread" }.count == 1)
    #expect(steps["checked once"]?["kept"]?.text?.contains("Check: Bins") == true)
    #expect(steps["checked once"]?["due"] == .text("2031-03-05T09:00"))
    let edited = steps["edited twice"]
    #expect(edited?["lines"] == .integer(1))
    #expect(edited?["text"] == .text("Goat's milk") && edited?["notes"] == .text("1 litre"))
    #expect(steps["checked past a proxy"]?["kept"]?.text?.contains("Check: Milk") == true)
    #expect(items["checked past a proxy"]??.contains("Milk") == false)
    #expect(steps["added past a proxy"]?["kept"]?.text?.contains("Add: Rice") == true)
    #expect(items["added past a proxy"]??.filter { $0 == "Rice" }.count == 1)
    #expect(steps["fetched again"] != nil)
    #expect(steps["not kept"]?["path"] == .text("/"))
    #expect(steps["not kept"]?["status"]?.text?.contains("not kept here; this is Today. Shown as of") == true)
    #expect(steps["a copy"]?["status"]?.text?.hasPrefix("Belfry cannot be reached. Shown as of") == true)
    #expect(steps["asked"]?["words"]?.text?.hasPrefix("1 change was not sent") == true)
    #expect(steps["signed out"]?["left"]?.elements == [.integer(0), .integer(0)])
    let text = steps["signed out"]?["text"]?.text ?? ""
    #expect(text.contains("Sign out again") && !text.contains("milk") && !text.contains("Groceries"))
  }

  @Test("rows are moved by a mouse and by a finger that rests on them")
  func order() async throws {
    let told = try await Sandbox().fixture("order.py", [Programs.folder.path])
    let orders = told.map { line in line["order"]?.elements?.compactMap(\.text) }
    #expect(
      told.map { $0["rows"]?.elements?.compactMap(\.text) ?? $0["order"]?.elements?.compactMap(\.text) } == orders)
    #expect(
      orders == [
        ["Dust", "Mop", "Sweep", "Iron"], ["Iron", "Dust", "Mop", "Sweep"], ["Iron", "Mop", "Sweep", "Dust"],
        ["Groceries", "Home"],
      ])
    #expect(told.dropFirst(2).first?["path"] == .text("/lists/1"))
    #expect(told.dropFirst(2).first?["errors"]?.elements == [])
  }

  @Test("several rows are postponed by keys, and snoozed, moved and checked by a finger, each by one press")
  func choosing() async throws {
    let told = try await Sandbox().fixture("choosing.py", [Programs.folder.path])
    let steps = Dictionary(told.compactMap { line in line["step"]?.text.map { ($0, line) } }) { first, _ in first }
    let texts = { (step: String, name: String) in steps[step]?[name]?.elements?.compactMap(\.text) }
    #expect(texts("postponed by keys", "chosen") == ["Sweep", "Mop"])
    #expect(texts("postponed by keys", "changed") == ["Sweep", "Mop"])
    #expect(steps["postponed by keys"]?["focus"] == .text("Sweep"))
    #expect(steps["postponed by keys"]?["same"] == .bool(true) && steps["postponed by keys"]?["boxes"] == .integer(0))
    #expect(steps["undone"]?["same"]?.elements == [.bool(true), .bool(true)])
    #expect(steps["left"]?["path"] == .text("/"))
    #expect(texts("snoozed by finger", "chosen") == ["Dust", "Mop"])
    #expect(texts("snoozed by finger", "ring") == ["Dust", "Mop"])
    #expect(texts("moved by finger", "there") == ["Dust", "Milk", "Mop"])
    #expect(texts("checked by finger", "done") == ["Dust", "Mop"])
  }

  @Test("today with 30 items can be used after 4 requests and 30 kB at most, on the first visit")
  func firstLoad() async throws {
    let told = try await Sandbox().fixture("first_load.py", [Programs.folder.path])
    // What scripts ask for comes after the page can be used, and the icon when the browser has time for it.
    let needed = told.filter { $0["by"] != .text("script") && $0["path"]?.text?.contains("/icon") != true }
    let bytes = needed.compactMap { $0["bytes"]?.integer }
    #expect(needed.first?["path"] == .text("/") && needed.count >= 3 && needed.count <= 4, "\(told)")
    #expect(bytes.allSatisfy { $0 > 0 } && bytes.reduce(0, +) <= 30_000, "\(told)")
  }

  @Test("on a phone the first item is in the first third, a check is one request, and menus close by a press outside")
  func phone() async throws {
    let told = try await Sandbox().fixture("phone.py", [Programs.folder.path])
    let steps = Dictionary(grouping: told) { $0["step"]?.text ?? "" }
    for (page, looks) in steps where looks.first?["bar"] != nil {
      #expect(looks.count == 3)
      for look in looks {
        #expect(look["width"] == look["window"] && look["width"]?.integer ?? 0 > 0, "\(page): \(look)")
        #expect(look["target"]?.integer ?? 0 >= 44, "\(page): \(look)")
        #expect(look["bar"] == .integer(48), "\(page): \(look)")
      }
      guard ["today", "list"].contains(page), let usual = looks.dropFirst().first else { continue }
      #expect(usual["row"]?.integer ?? 844 < 844 / 3 && usual["line"] == .integer(844), "\(page): \(usual)")
    }
    let one = { (step: String) in steps[step]?.first }
    for step in ["links of rows", "links of an item"] {
      let links = one(step)
      #expect(links?["height"]?.integer ?? 0 >= 44, "\(step): \(String(describing: links))")
      #expect(links?["row"]?.integer ?? 0 >= 44, "\(step): \(String(describing: links))")
      #expect(
        links?["gap"]?.integer ?? 0 >= 10 && links?["ring"] == .bool(true), "\(step): \(String(describing: links))")
    }
    #expect(one("checked")?["struck"] == .bool(true))
    #expect(one("checked")?["requests"]?.elements == [.text("POST status")])
    #expect(one("checked")?["status"]?.text?.hasPrefix("Checked: Dust") == true)
    #expect(one("changed by a command")?["requests"]?.elements == [.text("GET today")])
    #expect(one("a row's menu")?["words"]?.text?.contains("To another list") == true)
    #expect(one("the menu of pages")?["words"]?.text?.contains("Settings") == true)
    for step in ["outside by a finger", "outside by a mouse"] {
      #expect(one(step)?["sent"] == .integer(1), "\(step)")
    }
    #expect(one("postponed")?["path"] == .text("/") && one("postponed")?["status"]?.text?.contains("Sweep") == true)
    let added = steps["added at once"] ?? []
    #expect(added.count == 2 && added.allSatisfy { $0["path"] == .text("/") && $0["focus"] == .text("f-line") })
    #expect(added.first?["status"]?.text?.contains("then every 3 days") == true)
    #expect(added.last?["status"]?.text?.contains("looks like a time or a list") == true)
    #expect(one("the echo")?["seen"] == .bool(true))
    #expect(one("undone")?["items"]?.elements?.contains(.text("Meeting 5/12")) == false)
    #expect(one("undone")?["items"]?.elements?.contains(.text("Water plants")) == false)
    #expect(one("made again")?["items"]?.elements?.contains(.text("Water plants")) == true)
    #expect(one("looks")?["height"]?.integer ?? 844 < 844 / 4)
    #expect(one("looks")?["cut"] == .text("none") && one("looks")?["edge"]?.integer ?? 0 >= 12)
    #expect(one("added without scripts")?["path"] == .text("/"))
    #expect(one("undone without scripts")?["status"]?.text?.hasPrefix("Undone") == true)
  }

  @Test("who types and presses quicker than the network loses no line, and each press undoes one change")
  func hasty() async throws {
    let told = try await Sandbox().fixture("hasty.py", [Programs.folder.path])
    let steps = Dictionary(told.compactMap { line in line["step"]?.text.map { ($0, line) } }) { first, _ in first }
    let texts = { (step: String, name: String) in steps[step]?[name]?.elements?.compactMap(\.text) }
    let text = { (step: String, name: String) in steps[step]?[name]?.text ?? "" }
    #expect(texts("typed quickly", "items") == ["eggs", "flour", "sugar", "butter"])
    #expect(text("typed quickly", "left") == "half" && text("typed quickly", "path") == "/lists/2")
    #expect(texts("pressed twice", "items") == ["eggs", "flour", "sugar", "butter", "salt"])
    #expect(text("refused", "left") == "next" && text("refused", "kept").contains("Add: why"))
    #expect(text("refused", "status").contains("Not added: “why”. There is no such list."))
    #expect(text("put back", "focus") == "f-line" && text("put back", "status").hasPrefix("There is no such list."))
    #expect(texts("moved three times", "rows") == ["Dust", "Mop", "Iron", "Sweep"])
    #expect(texts("undone twice", "rows") == ["Dust", "Sweep", "Mop", "Iron"])
    #expect(text("undone twice", "status").hasPrefix("Undone: Sweep moved."))
    #expect(texts("undone past a lost reply", "rows") == ["Sweep", "Dust", "Mop", "Iron"])
    #expect(texts("undone past a lost reply", "items") == ["eggs", "flour", "sugar", "butter", "salt"])
    #expect(text("several", "focus") == "row" && text("several", "path") == "/lists/2?choose=several")
    #expect(steps["several"]?["chosen"] == .integer(2))
    #expect(text("several", "status").hasPrefix("Checked: 2 items."))
    #expect(texts("several", "items") == ["sugar", "butter", "salt"])
    #expect(steps["left the choice"] != nil)
    #expect(text("kept", "kept").contains("Check: Dust"))
    #expect(texts("kept", "items") == ["Sweep", "Dust", "Mop", "Iron"])
    #expect(steps["discarded"]?["refreshed"] == .bool(true) && steps["discarded"]?["left"] == .bool(false))
    #expect(texts("unchecked while kept", "items") == ["Sweep", "Dust", "Mop", "Iron"])
    #expect(texts("sent later", "items") == ["Sweep", "Mop", "Iron"])
    for step in ["undone before the reply", "unchecked before the reply"] {
      #expect(texts(step, "rows") == ["Sweep", "Mop", "Iron"], "\(step)")
      #expect(texts(step, "items") == ["Sweep", "Mop", "Iron"], "\(step)")
      #expect(steps[step]?["leaving"] == .integer(0), "\(step)")
    }
    for (step, rows) in [("added", ["Sweep", "Mop", "Irons", "Wash"]), ("checked", ["Sweep", "Iron", "Wash"])] {
      #expect(steps["\(step) before rows came"]?["noted"] == .bool(false))
      #expect(texts("\(step) before rows came", "rows") == rows)
    }
    #expect(texts("heard before the reply", "requests") == ["POST", "GET items"])
    #expect(texts("given up", "items")?.suffix(2) == ["oil", "tea"])
  }

  @Test("who leaves a page is asked only if something was typed there and not sent, and can stay")
  func leaving() async throws {
    let told = try await Sandbox().fixture("leaving.py", [Programs.folder.path])
    let steps = Dictionary(told.compactMap { line in line["step"]?.text.map { ($0, line) } }) { first, _ in first }
    #expect(steps["a half-typed line"]?["path"] == .text("/lists/1"))
    #expect(steps["a half-typed line"]?["left"] == .text("te"))
    let questions = [
      "a half-typed line": "beforeunload", "an emptied line": nil, "an added line": nil,
      "a form that was only looked at": "beforeunload", "a saved form": nil, "a form that leads away": nil,
      "a sign-out": "confirm",
    ]
    for (step, question) in questions { #expect(steps[step]?["question"]?.text == question, "\(step)") }
    #expect(steps.count == questions.count)
  }

  @Test("keys pass over what is folded, leave fields and discarded lines for what follows, and name what they undo")
  func keyboard() async throws {
    let told = try await Sandbox().fixture("keyboard.py", [Programs.folder.path])
    let steps = Dictionary(told.compactMap { line in line["step"]?.text.map { ($0, line) } }) { first, _ in first }
    let texts = { (step: String, name: String) in steps[step]?[name]?.elements?.compactMap(\.text) ?? [] }
    let late = (1...8).map { "Late \($0)" }
    #expect(texts("by keys", "folded") == late.prefix(5) + ["Soon", "Soon"])
    #expect(texts("by keys", "unfolded") == late + ["Soon"])
    #expect(texts("choosing by keys", "folded") == late[1..<5] + ["Soon", "Soon"])
    #expect(steps["fetched ahead"]?["missing"]?.elements == [])
    #expect(texts("discarded", "names") == ["Discard: Check: Late 1", "Discard: Check: Late 2"])
    #expect(texts("discarded", "focus") == ["Discard: Check: Late 2", "main"])
    let left = steps["escaped"]?["told"]?.elements?.map(\.elements)
    #expect(left == Array(repeating: [.text("main"), .bool(true)], count: 3))
    #expect(steps["edited"]?["path"] == .text("/items/3"))
    let undone = ["Undone: Late 3 checked.", "Undone: Bread added.", "Undone: Buy milk added."]
    let said = texts("undone", "said")
    #expect(said.count == 3 && zip(said, undone).allSatisfy { $0.hasPrefix($1) }, "\(said)")
  }

  @Test("a notice is shown once; a page follows an item that is deleted, restored or renamed elsewhere")
  func twoTabs() async throws {
    let told = try await Sandbox().fixture("two_tabs.py", [Programs.folder.path])
    let steps = Dictionary(told.compactMap { line in line["step"]?.text.map { ($0, line) } }) { first, _ in first }
    let text = { (step: String, name: String) in steps[step]?[name]?.text ?? "" }
    #expect(steps["back"]?["address"] == .text("/lists/1") && steps["back"]?["status"] == .text(""))
    #expect(text("undone", "status").hasPrefix("Undone: Dust checked."))
    #expect(steps["gone"]?["requests"]?.elements == [.text("GET head")])
    let (before, after) = (steps["gone"]?["before"]?.elements ?? [], steps["gone"]?["after"]?.elements ?? [])
    #expect(before.count == 2 && before.first == after.first)
    #expect(before.last == .bool(true) && after.last == .bool(false))
    #expect(text("back again", "heading") == "Iron")
    #expect(text("saved", "status").hasPrefix("Saved: Mop the stairs.") && text("saved", "heading") == "Mop the stairs")
    #expect(steps["folded"]?["open"] == .bool(false) && text("folded", "focus") == "SUMMARY")
    #expect(text("half typed", "notes") == "half" && text("half typed", "text") == "Mop the stairs")
  }

  @Test("every page keeps the rules of axe-core, by light and in the dark, and shows hostile texts as texts")
  func everyPage() async throws {
    let python = Checkout.file(".build-python/bin/python").path
    let told = try await Sandbox().fixture("every_page.py", [Programs.folder.path], by: python)
    #expect(told.count == 2 * 43)
    for line in told {
      let page = "\(line["page"]?.text ?? "") \(line["scheme"]?.text ?? "")"
      #expect(line["rules"]?.integer ?? 0 > 10, "\(page)")
      for fault in ["wrong", "covered", "strange", "reports", "errors"] {
        #expect(line[fault]?.elements == [], "\(fault) on \(page): \(String(describing: line[fault]))")
      }
      #expect(line["dialogs"] == .integer(0), "\(page)")
      let isPlain = ["/items/999 ", "/answers ", "/sign-in ", "/sign-in/"].contains { page.hasPrefix($0) }
      #expect(isPlain || line["shown"]?.integer ?? 0 > 0, "\(page)")
    }
  }
}
