/// The texts of the manual pages that no declaration has.
enum ManualText {
  static let statuses: [(label: String, words: String)] = [
    ("0", "Done."),
    ("64", "Wrong usage; also a time, duration or repeat that cannot be understood, and a missing --force."),
    ("65", "The input data is wrong."),
    ("66", "There is no such list, item, file or sink."),
    ("69", "A sink refused; no daemon runs (service status)."),
    ("70", "A bug in Belfry."),
    ("73", "A file cannot be made."),
    ("74", "The store is damaged, unreadable or of a newer version; the disk is full or failed."),
    ("75", "Try again: the store is locked, another daemon runs, a due delivery was deferred."),
    ("77", "Permission is missing."),
    ("78", "The config is wrong."),
  ]

  static let files: [(label: String, words: String)] = [
    (
      "~/.config/belfry/config.yaml, /etc/belfry/config.yaml",
      "The config, the first that is there; see belfry.yaml(5)."
    ),
    ("~/.local/share/belfry/belfry.sqlite", "The store, where no config names another."),
    ("STORE.bak", "The last good copy of a store."),
    ("STORE.lock", "Held by the daemon, with its process number in it."),
  ]

  static let variables: [(label: String, words: String)] = [
    ("BELFRY_CONFIG", "The config, before those above; --config FILE comes before it."),
    ("XDG_CONFIG_HOME, XDG_DATA_HOME", "In place of ~/.config and ~/.local/share."),
    ("TZ", "The zone of this machine."),
    ("NO_COLOR", "No colour, where it is not empty."),
    ("VISUAL, EDITOR", "What belfry edit ID opens."),
  ]

  static let times = [
    """
    A time (WHEN) is what people say: 18:30, tomorrow 9am, fri 17:00, next monday, in 10 minutes, +2h, end of month, \
    2026-12-24 18:30, RFC 3339, or none where that makes sense. A bare date means 09:00 (default_time), a bare time \
    that has passed means tomorrow. What could mean two things is refused. A fire date has no seconds.
    """,
    "A duration is 10m, 1h30m, 2d or 1w, at least a minute: 1d is a day on the wall clock, 24h are 24 hours.",
    """
    A repeat (RULE) is daily, weekdays, weekly, monthly, yearly, every 2 weeks, every month on the last friday, or an \
    RFC 5545 rule: FREQ=MONTHLY;BYDAY=-1FR.
    """,
  ]

  static let signals: [(label: String, words: String)] = [
    ("HUP", "Reloads the config; an invalid one is reported and changes nothing."),
    ("TERM, INT", "Ends: no new reminders, five seconds for what is under way; the rest is sent after the next start."),
  ]

  static let service = """
    Under systemd the daemon is of Type=notify: it says when it is ready, reloads and stops, and what is next, which \
    systemctl status shows. With WatchdogSec= its scheduler loop pings; one that hangs is restarted. NOTIFY_SOCKET, \
    WATCHDOG_USEC and WATCHDOG_PID are read by the protocol of sd_notify(3).
    """
}
