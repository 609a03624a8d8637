import BelfryEngine
import MessageText

/// The default HTML of a mail.
///
/// It uses tables and inline styles, which every mail program understands; the style sheet only changes colours for
/// dark screens and margins for narrow ones. Its own text is ASCII, which needs no encoding.
enum MailHTML {
  static func page(_ words: [ReminderWords], beyond: Int, title: String) -> String {
    let cards = words.map { card($0) }.joined(separator: gap)
    let more = beyond > 0 ? gap + row(paragraph("&hellip; and \(beyond) more reminders: \(code("belfry show"))")) : ""
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="supported-color-schemes" content="light dark">
      <title>\(escaped(title))</title>
      <style>\(sheet)</style>
      </head>
      <body class="b" style="margin:0;padding:0;background-color:#f3f4f6;\(font)">
      <div style="display:none;max-height:0;overflow:hidden;mso-hide:all">\(preview(words))</div>
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="b" \
      style="background-color:#f3f4f6">
      <tr><td align="center" class="o" style="padding:32px 16px">
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:580px">
      \(failure(words))\(words.count + beyond > 1 ? row(heading(words.count + beyond)) + gap : "")\(cards)\(more)
      <tr><td class="m" style="padding:20px 4px 0;\(font)font-size:13px;line-height:19px;color:#5f6672;\
      text-align:center">Sent by Belfry, your checklists that ring.</td></tr>
      </table>
      </td></tr>
      </table>
      </body>
      </html>

      """
  }

  static let font =
    "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;"
  static let wrap = "overflow-wrap:anywhere;word-break:break-word;"
  private static let gap = "<tr><td style=\"height:14px;font-size:0;line-height:0\">&nbsp;</td></tr>\n"

  private static let sheet = String(decoding: PackageResources.mail_css, as: UTF8.self)

  private static func row(_ content: String) -> String {
    "<tr><td style=\"padding:0 4px;\(font)\">\(content)</td></tr>\n"
  }

  private static func paragraph(_ content: String) -> String {
    "<p class=\"m\" style=\"margin:0;font-size:15px;line-height:22px;color:#5f6672\">\(content)</p>"
  }

  private static func failure(_ words: [ReminderWords]) -> String {
    guard let failure = words.first?.content.failure else { return "" }
    let box = """
      <p class="w" style="margin:0;padding:12px 16px;border-radius:10px;background-color:#fdf0cf;color:#7a4d00;\
      font-size:15px;line-height:22px;font-weight:600;\(wrap)">\(escaped("\(failure.headline): \(failure.reason)"))</p>
      """
    return row(box) + gap
  }

  private static func heading(_ count: Int) -> String {
    "<p class=\"t\" style=\"margin:0;font-size:17px;line-height:24px;font-weight:600;color:#14171c\">"
      + "\(count) reminders</p>"
  }

  // Mail programs show this text next to the subject.
  private static func preview(_ words: [ReminderWords]) -> String {
    words.prefix(3).map { words in
      words.news.map(escaped) ?? "\(escaped(words.text.bounded(toBytes: 160))) &ndash; \(escaped(words.due))"
    }.joined(separator: " &middot; ")
  }

  private static func card(_ words: ReminderWords) -> String {
    if let news = words.news { return row(paragraph(escaped(news))) }
    return """
      <tr><td class="c p" style="padding:26px 28px;background-color:#ffffff;border:1px solid #e2e5ea;\
      border-radius:14px;\(font)">
      \(words.list == words.text ? "" : label(words.list))\
      <h1 class="t h" dir="auto" style="margin:0;font-size:23px;line-height:31px;font-weight:650;color:#14171c;\
      white-space:pre-wrap;\(wrap)">\(escaped(words.text))</h1>
      \(escalation(words))\(late(words))\(when(words))\(unchecked(words))\(notes(words))\
      \(MailButtons.html(words))\(commands(words))</td></tr>

      """
  }

  private static func label(_ list: String) -> String {
    """
    <p class="a" dir="auto" style="margin:0 0 6px;font-size:13px;line-height:18px;font-weight:600;\
    letter-spacing:.02em;color:#1c5fd4;\(wrap)">\(escaped(list))</p>

    """
  }

  private static func escalation(_ words: ReminderWords) -> String {
    guard let escalation = words.escalation else { return "" }
    return """
      <p class="t" dir="auto" style="margin:14px 0 0;font-size:15px;line-height:22px;font-weight:600;color:#14171c;\
      \(wrap)">\(escaped(escalation))</p>

      """
  }

  private static func late(_ words: ReminderWords) -> String {
    guard let late = words.late else { return "" }
    return """
      <p style="margin:14px 0 0"><span class="w" style="display:inline-block;padding:4px 11px;border-radius:999px;\
      background-color:#fdf0cf;color:#7a4d00;font-size:13px;line-height:18px;font-weight:600">This reminder is \
      \(escaped(late)) late</span></p>

      """
  }

  private static func when(_ words: ReminderWords) -> String {
    let distance =
      words.content.item == nil
      ? ""
      : "<span class=\"t\" style=\"font-weight:600;color:#14171c\">Due \(escaped(words.relative))</span><br>"
    return """
      <p style="margin:14px 0 0;font-size:15px;line-height:23px">\(distance)\
      <span class="m" style="color:#5f6672">\(escaped(words.due))</span></p>

      """
  }

  private static func unchecked(_ words: ReminderWords) -> String {
    guard !words.unchecked.isEmpty else { return "" }
    let rows = words.unchecked.map { text in
      """
      <tr><td valign="top" width="28" class="m" style="padding:5px 0;font-size:17px;line-height:22px;\
      color:#5f6672">&#9744;</td><td class="t" dir="auto" style="padding:5px 0;font-size:15px;line-height:22px;\
      color:#14171c;\(wrap)">\(escaped(text))</td></tr>

      """
    }
    let more =
      words.uncheckedBeyond > 0
      ? "<tr><td></td><td class=\"m\" style=\"padding:5px 0;font-size:15px;color:#5f6672\">&hellip; and "
        + "\(words.uncheckedBeyond) more</td></tr>\n" : ""
    return """
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin-top:14px">
      \(rows.joined())\(more)</table>

      """
  }

  private static func notes(_ words: ReminderWords) -> String {
    guard let notes = words.notes else { return "" }
    return """
      <div class="n" dir="auto" style="margin:16px 0 0;padding:2px 0 2px 14px;border-left:3px solid #d5d9e0;\
      font-size:15px;line-height:22px;color:#343a44;white-space:pre-wrap;\(wrap)">\(escaped(notes))</div>

      """
  }

  private static func commands(_ words: ReminderWords) -> String {
    let commands = words.commands()
    guard !commands.isEmpty else { return "" }
    let rows = commands.map { command in
      let (title, isDestructive) = (command.action.title, command.action.isDestructive)
      return """
        <p style="margin:10px 0 0;font-size:14px;line-height:20px"><span class="\(isDestructive ? "d" : "t")" \
        style="font-weight:600;color:\(isDestructive ? "#b3261e" : "#14171c")">\(escaped(title))</span>\
        \(isDestructive ? "<span class=\"m\" style=\"color:#5f6672\"> (destructive)</span>" : "")\
        <br>\(code(command.command))</p>

        """
    }
    return """
      <div class="s" style="margin:20px 0 0;padding:6px 0 0;border-top:1px solid #e2e5ea">
      \(rows.joined())</div>

      """
  }

  private static func code(_ text: String) -> String {
    "<code class=\"k\" style=\"display:inline-block;margin-top:3px;padding:3px 8px;border-radius:6px;"
      + "background-color:#eef0f4;color:#2b303a;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;"
      + "font-size:12.5px;line-height:18px;\(wrap)\">\(escaped(text))</code>"
  }

  /// The text without control characters and with HTML's special characters escaped.
  static func escaped(_ text: String) -> String { text.withoutControls().escapedForHTML() }
}
