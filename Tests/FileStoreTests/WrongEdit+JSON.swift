extension WrongEdit {
  /// Wrong edits of a JSON store with three items.
  static let json: [WrongEdit] = [
    WrongEdit(
      "a missing comma", #""text":"Item 2","#, #""text":"Item 2" "#,
      at: #""is_checked":false,"due_date":"2026-11-21T08:02"#, "expected \",\""),
    WrongEdit("a missing colon", #""text":"Item 2""#, #""text" "Item 2""#, at: #""Item 2""#, "expected \":\""),
    WrongEdit("a comma too many", #"08:00:00Z"}"#, #"08:00:00Z",}"#, at: "},\n{", "key"),
    WrongEdit(
      "a missing quotation mark", #""text":"Item 2","#, #""text":"Item 2,"#, at: nil, "expected \",\" or \"}\""),
    WrongEdit("single quotes", #""Item 2""#, "'Item 2'", "expected a value"),
    WrongEdit("a bare word", #""Item 2""#, "Item", "expected a value"),
    WrongEdit("a comment", #""Item 2""#, #"/* x */ "Item 2""#, "expected a value"),
    WrongEdit("a number for a text", #""Item 2""#, "17", "expected a text, found a number"),
    WrongEdit("a text for a number", #""position":2"#, #""position":"2""#, at: #""2","text":"Item 2""#, "whole number"),
    WrongEdit("a fraction for a number", #""position":2"#, #""position":2.5"#, at: "2.5", "whole number"),
    WrongEdit(
      "a number too large", #""position":2"#, #""position":9223372036854775808"#, at: "9223372036854775808",
      "too large"),
    WrongEdit("a very large number", #""position":2"#, #""position":1e400"#, at: "1e400", "whole number"),
    WrongEdit(
      "a text for a truth value", #""is_checked":false,"due_date":"2026-11-21T08:02"#,
      #""is_checked":"no","due_date":"2026-11-21T08:02"#, at: #""no","due_date""#, "true or false"),
    WrongEdit(
      "an item's number too large", #""id":2,"uuid""#, #""id":9223372036854775807,"uuid""#, at: "9223372036854775807",
      "must be from 0"),
    WrongEdit("a negative number", #""id":2,"uuid""#, #""id":-2,"uuid""#, at: "-2,\"uuid\"", "must be from 0"),
    WrongEdit(
      "an unknown list", #""list":"Groceries","position":2"#, #""list":"Grocery","position":2"#, at: #""Grocery""#,
      "there is no list \"Grocery\""),
    WrongEdit(
      "a number that is taken", #"{"id":2,"uuid":"f94"#, #"{"id":1,"uuid":"f94"#, at: #"{"id":1,"uuid":"f94"#,
      "duplicate item 1"),
    WrongEdit(
      "a key twice", #""text":"Item 2","#, #""text":"Item 2","text":"x","#, at: #""x","is_checked""#,
      "has its \"text\" twice"),
    WrongEdit(
      "an unknown key twice", #""text":"Item 2","#, #""text":"Item 2","x":1,"x":2,"#, at: #""x":2"#, "duplicate key"),
    WrongEdit("no text", #""text":"Item 2","#, "", at: #"{"id":2,"#, "has no \"text\""),
    WrongEdit(
      "a null for a text", #""text":"Item 2","#, #""text":null,"#, at: #"null,"is_checked""#, "must have a value"),
    WrongEdit(
      "a day that is not", #""due_local":"2026-11-21T08:02""#, #""due_local":"2026-02-30T08:02""#, at: #""2026-02-30"#,
      "is not a wall-clock time"),
    WrongEdit(
      "an hour that is not", #""due_local":"2026-11-21T08:02""#, #""due_local":"2026-11-21T24:02""#,
      at: #""2026-11-21T24:02"#, "is not a wall-clock time"),
    WrongEdit(
      "a date without a time", #""due_local":"2026-11-21T08:02""#, #""due_local":"2026-11-21""#, at: #""2026-11-21""#,
      "is not a wall-clock time"),
    WrongEdit(
      "an instant without a zone", #""due_date":"2026-11-21T08:02:00Z""#, #""due_date":"2026-11-21T08:02:00""#,
      at: #""2026-11-21T08:02:00""#, "is not an instant"),
    WrongEdit(
      "an instant with seconds", #""due_date":"2026-11-21T08:02:00Z""#, #""due_date":"2026-11-21T08:02:07Z""#,
      at: #""2026-11-21T08:02:07Z"#, "full minute"),
    WrongEdit(
      "an instant before 1970", #""due_date":"2026-11-21T08:02:00Z""#, #""due_date":"1969-11-21T08:02:00Z""#,
      at: #""1969-"#, "1970"),
    WrongEdit(
      "a rule that is none", #""should_remind":"#,
      #""repeat":"FREQ=OFTEN","repeat_start":"2026-11-21T08:02","should_remind":"#, at: #""FREQ=OFTEN"#,
      "recurrence rule"),
    WrongEdit(
      "a rule without a start", #""should_remind":"#, #""repeat":"FREQ=DAILY","should_remind":"#,
      at: #"{"id":1,"uuid":"464"#, "has a \"repeat\" and no \"repeat_start\""),
    WrongEdit(
      "a duration that is none", #""should_remind":"#, #""nag":"soon","should_remind":"#, at: #""soon""#,
      "is not a duration"),
    WrongEdit(
      "a nag without a pause", #""should_remind":"#, #""nag":"PT0S","should_remind":"#, at: #""PT0S""#,
      "at least a minute"),
    WrongEdit(
      "a number with a zero before it", #""position":2"#, #""position":02"#, at: #"02,"text":"Item 2""#, "found \"02\""),
    WrongEdit(
      "an alert that is none", #""should_remind":"#, #""alerts":["PT0S","x"],"should_remind":"#, at: #""x"]"#,
      "is not a duration"),
    WrongEdit(
      "an alert that is a number", #""should_remind":"#, #""alerts":[0],"should_remind":"#, at: "0]", "list of texts"),
    WrongEdit(
      "a state that is none", #""state":"scheduled""#, #""state":"sleeping""#, at: #""sleeping"#,
      "expected \"scheduled\", \"fired\""),
    WrongEdit("an identity that is none", #""reminder_id":""#, #""reminder_id":"x"#, at: nil, "is not a UUID"),
    WrongEdit("a lone surrogate", #""Item 2""#, #""\ud800""#, "surrogate"),
    WrongEdit("NUL as it is", #""Item 2""#, bytes: Array("\"Item \0 2\"".utf8), "control character"),
    WrongEdit("a control character as it is", #""Item 2""#, bytes: [0x22, 0x07, 0x22], "control character"),
    WrongEdit("bytes that are no UTF-8", #""Item 2""#, bytes: [0x22, 0xC3, 0x28, 0x22], "UTF-8"),
    WrongEdit("an unfinished escape", #""Item 2""#, #""\u12""#, "hexadecimal"),
    WrongEdit("a reminder of nobody", #""item_id":2,"#, "", at: nil, "either"),
    WrongEdit("something behind the end", "\n}\n", "\n}\nx", at: "\nx", "expected the end of the file"),
    WrongEdit(
      "a key of tokens without their expiry", #""messages":[]"#,
      #""messages":[{"message_id":"f94d7d0c-5d5e-5b1f-8d6c-0c7e1c9a2b11","sink":"s","created_at":"#
        + #""2026-11-21T08:00:00Z","answer_key":3,"contents":[]}]"#, at: #"{"message_id":"f94"#,
      "has a \"answer_key\" and no \"answer_expiry\""),
    WrongEdit(
      "a key of tokens that is none", #""messages":[]"#,
      #""messages":[{"message_id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","sink":"out","#
        + #""created_at":"2026-11-21T08:00:00Z","contents":[],"answer_key":32}]"#, at: "32}",
      "must be from 0 to 31"),
    WrongEdit(
      "an inbox of no sink", #""lists":["#, #""inboxes":[{"changed_at":"2026-11-21T08:00:00Z"}],"lists":["#,
      at: #"{"changed_at""#, "has no \"sink\""),
    WrongEdit(
      "two inboxes of a sink", #""lists":["#,
      #""inboxes":[{"sink":"a","changed_at":"2026-11-21T08:00:00Z"},{"sink":"a","changed_at":"#
        + #""2026-11-21T08:00:00Z"}],"lists":["#, at: #"[{"sink""#, "duplicate inbox of sink \"a\""),
    WrongEdit(
      "inboxes that are none", #""lists":["#, #""inboxes":{},"lists":["#, at: #"{},"lists""#, "expected \"[\""),
    WrongEdit(
      "a person without a number", #""lists":["#, #""people":[{"name":"anna"}],"lists":["#, at: #"{"name":"anna""#,
      "has no \"number\""),
    WrongEdit(
      "the number of no one for a person", #""lists":["#, #""people":[{"number":0,"name":"anna"}],"lists":["#,
      at: #"0,"name""#, "must be from 1 to 65535"),
    WrongEdit(
      "a number of two people", #""lists":["#,
      #""people":[{"number":1,"name":"a"},{"number":1,"name":"b"}],"lists":["#, at: #"[{"number""#,
      "duplicate person 1"),
    WrongEdit(
      "a person with two numbers", #""lists":["#,
      #""people":[{"number":1,"name":"a"},{"number":2,"name":"a"}],"lists":["#, at: #"[{"number""#,
      "duplicate person \"a\""),
    WrongEdit(
      "a key of two items", #""items":["#,
      #""items":[{"id":8,"list":"Groceries","text":"x","key":"a"},{"id":9,"list":"Groceries","text":"y","#
        + #""key":"a"},"#, at: #"{"id":9"#, "duplicate item with the key \"a\""),
    WrongEdit(
      "a step of an escalation that is none", #""fire_date":"#, #""kind":"escalation","serial":4095,"fire_date":"#,
      at: "4095", "not the number of a step and ring"),
    WrongEdit(
      "a kind of reminder that is none", #""fire_date":"#, #""kind":"step","serial":1,"fire_date":"#, at: #""step""#,
      "expected \"planned\", \"snooze\", \"nag\", \"escalation\""),
    WrongEdit("a section that is none", #""messages":[]"#, #""messages":{}"#, at: "{},", "expected \"[\""),
    WrongEdit("a missing section", "\"messages\":[],\n", "", at: "{\"format", "has no \"messages\""),
    WrongEdit("another format", "belfry-store", "other-store", at: #""other-store"#, "not one of Belfry's"),
  ]
}
