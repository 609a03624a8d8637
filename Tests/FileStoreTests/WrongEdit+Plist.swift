extension WrongEdit {
  /// Wrong edits of a property list with three items.
  static let plist: [WrongEdit] = [
    WrongEdit("a tag that is not closed", "Item 2</string>", "Item 2", at: nil, "must hold text only"),
    WrongEdit("a tag that is closed by another", "Item 2</string>", "Item 2</strin>", at: nil, "expected </string>"),
    WrongEdit("an unknown tag", "<string>Item 2</string>", "<text>Item 2</text>", "text"),
    WrongEdit("a bare ampersand", "Item 2", "Item & 2", at: nil, "not a known entity"),
    WrongEdit("an unknown entity", "Item 2", "Item &x; 2", at: "&x;", "not a known entity"),
    WrongEdit("a reference to NUL", "Item 2", "Item &#0; 2", at: "&#0;", "U+0000"),
    WrongEdit("a lone surrogate", "Item 2", "Item &#xD800; 2", at: "&#xD800;", "not a known entity"),
    WrongEdit("a control character", "Item 2", bytes: [0x07], "U+0007"),
    WrongEdit("NUL", "Item 2", bytes: [0x00], "U+0000"),
    WrongEdit("bytes that are no UTF-8", "Item 2", bytes: [0xC3, 0x28], "UTF-8"),
    WrongEdit(
      "a number for a text", "<string>Item 2</string>", "<integer>17</integer>", at: "17",
      "expected a text, found a number"),
    WrongEdit(
      "a text for a number", "<key>Position</key><integer>2</integer>", "<key>Position</key><string>2</string>",
      at: "2</string>", "whole number"),
    WrongEdit(
      "a number too large", "<key>Position</key><integer>2</integer>",
      "<key>Position</key><integer>9223372036854775808</integer>", at: "9223372036854775808", "too large"),
    WrongEdit(
      "a text for a truth value", "<key>Checked</key><false/>", "<key>Checked</key><string>no</string>",
      at: "no</string>", "true or false"),
    WrongEdit(
      "an unknown list", "<string>Groceries</string><key>Position</key><integer>2</integer>",
      "<string>Grocery</string><key>Position</key><integer>2</integer>", at: "Grocery<", "there is no list \"Grocery\""),
    WrongEdit(
      "a number that is taken", "<key>ItemID</key><integer>2</integer><key>UUID",
      "<key>ItemID</key><integer>1</integer><key>UUID", at: nil, "duplicate item 1"),
    WrongEdit(
      "a key twice", "<key>Text</key><string>Item 2</string>",
      "<key>Text</key><string>Item 2</string><key>Text</key><string>x</string>", at: "x</string>",
      "has its \"Text\" twice"),
    WrongEdit(
      "a key without a value", "<key>Text</key><string>Item 2</string>", "<key>Text</key>", at: nil, "before its value"),
    WrongEdit(
      "a value without a key", "<key>Text</key><string>Item 2</string>", "<string>Item 2</string>", "expected <key>"),
    WrongEdit("no text", "<key>Text</key><string>Item 2</string>", "", at: nil, "has no \"Text\""),
    WrongEdit(
      "a day that is not", "<string>2026-11-21T08:02</string>", "<string>2026-02-30T08:02</string>", at: "2026-02-30",
      "is not a wall-clock time"),
    WrongEdit(
      "a date that is none", "<date>2026-11-21T08:02:00Z</date>", "<date>tomorrow</date>", at: "tomorrow",
      "is not an instant"),
    WrongEdit(
      "an instant with seconds", "<date>2026-11-21T08:02:00Z</date>", "<date>2026-11-21T08:02:07Z</date>",
      at: "2026-11-21T08:02:07Z", "full minute"),
    WrongEdit(
      "a rule that is none", "<key>ShouldRemind</key>",
      "<key>Repeat</key><string>FREQ=OFTEN</string><key>RepeatStart</key><string>2026-11-21T08:02</string><key>ShouldRemind</key>",
      at: "FREQ=OFTEN", "recurrence rule"),
    WrongEdit(
      "an alert that is none", "<key>ShouldRemind</key>",
      "<key>Alerts</key><array><string>x</string></array><key>ShouldRemind</key>", at: "<string>x<", "is not a duration"
    ),
    WrongEdit(
      "a nag without a pause", "<key>ShouldRemind</key>", "<key>Nag</key><string>PT0S</string><key>ShouldRemind</key>",
      at: "PT0S<", "at least a minute"),
    WrongEdit(
      "a number in another notation", "<key>Position</key><integer>2</integer>",
      "<key>Position</key><integer>0x2</integer>", at: "0x2<", "found \"0x2\""),
    WrongEdit(
      "a rule without a start", "<key>ShouldRemind</key>",
      "<key>Repeat</key><string>FREQ=DAILY</string><key>ShouldRemind</key>", at: nil,
      "has a \"Repeat\" and no \"RepeatStart\""),
    WrongEdit(
      "a state that is none", "<string>scheduled</string>", "<string>sleeping</string>", at: "sleeping",
      "expected \"scheduled\", \"fired\""),
    WrongEdit("something behind the end", "</plist>\n", "</plist>\nx", at: "\nx", "expected the end of the file"),
    WrongEdit(
      "an inbox without a date", "<key>Lists</key>",
      "<key>Inboxes</key><array><dict><key>Sink</key><string>a</string></dict></array><key>Lists</key>",
      at: "<dict><key>Sink", "has no \"ChangedAt\""),
    WrongEdit(
      "a person without a name", "<key>Lists</key>",
      "<key>People</key><array><dict><key>Number</key><integer>1</integer></dict></array><key>Lists</key>",
      at: "<dict><key>Number", "has no \"Name\""),
    WrongEdit(
      "a section that is none", "<key>Messages</key><array>", "<key>Messages</key><dict>", at: "<dict>\n</array>",
      "expected <array>"),
    WrongEdit("another format", "belfry-store", "other-store", at: "other-store", "not one of Belfry's"),
  ]
}
