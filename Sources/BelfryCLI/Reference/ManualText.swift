/// Texts of the manual pages that do not come from the declarations of commands and keys.
enum ManualText {
  static let statuses: [(label: String, words: String)] = [
    ("0", "Done."),
    ("64", "Wrong usage; also a time, duration or repeat that cannot be understood, and a missing --force."),
    ("65", "The input data is wrong."),
    ("66", "There is no such list, item, file or sink."),
    ("69", "A sink refused; no daemon runs (service status)."),
    ("70", "A bug in Belfry."),
    ("73", "A file cannot be created."),
    ("74", "The store is damaged, unreadable or of a newer version; the disk is full or failed."),
    ("75", "Try again: the store is locked, another daemon runs, a due delivery was deferred."),
    ("77", "Permission is missing."),
    ("78", "The config is wrong."),
  ]

  static let files: [(label: String, words: String)] = [
    (
      "~/.config/belfry/config.yaml, /etc/belfry/config.yaml",
      "The config: the first that exists; see belfry.yaml(5)."
    ),
    ("~/.local/share/belfry/belfry.sqlite", "The store, unless the config names another."),
    ("STORE.bak", "The last good copy of a store."),
    ("STORE.lock", "The lock of the daemon, with its process id."),
    ("STORE.access", "The digests of access tokens, sessions and sign-in links; PostgreSQL has them in tables."),
  ]

  static let variables: [(label: String, words: String)] = [
    ("BELFRY_CONFIG", "The config to use instead of those under FILES; --config FILE overrides it."),
    ("XDG_CONFIG_HOME, XDG_DATA_HOME", "The folders used instead of ~/.config and ~/.local/share."),
    ("TZ", "The local time zone."),
    ("NO_COLOR", "Disables colour if it is not empty."),
    ("VISUAL, EDITOR", "The editor of belfry edit ID."),
  ]

  static let times = [
    """
    A time (WHEN) is written as people say it: 18:30, tomorrow 9am, fri 17:00, next monday, in 10 minutes, +2h, \
    tonight at 8, tomorrow morning, friday evening, this weekend, end of month, 2026-12-24 18:30, 24.12. 18:00, RFC \
    3339, or none to remove one. A date alone means 09:00 (default_time). A time alone that has passed means tomorrow. 'today' \
    means the next full hour if 09:00 has passed. Ambiguous input is refused. A fire date has no seconds.
    """,
    "A duration is 10m, 1h30m, 2d or 1w, at least a minute: 1d is a day on the wall clock, 24h are 24 hours.",
    """
    A repeat (RULE) is daily, weekdays, weekly, monthly, yearly, every 2 weeks, every other tuesday, every month on \
    the last friday, or an RFC 5545 rule: FREQ=MONTHLY;BYDAY=-1FR.
    """,
  ]

  static let subjects: [(title: String, paragraphs: [String])] = [
    (
      "A LINE AS PEOPLE TYPE IT",
      [
        """
        'belfry add -q' reads one line: the text, then at its end and in any order #List, @tag, a priority (!high, \
        !medium or !low), a repeat and a time, as in "Bins #Inbox @home !high every other tuesday 7am". The web face, \
        Telegram and requests read the same line. A mark before the text's last word, or a # that names no list, is text.
        """
      ]
    ),
    (
      "ANSWERS",
      [
        """
        A message offers actions: done, later, and those of its category. Buttons of desktops, ntfy and Telegram, links in \
        mails and chats, and 'belfry act' carry them out. 'belfry answers' lists who answered what; \
        'belfry take-back ID' takes one back.
        """
      ]
    ),
    (
      "ESCALATIONS",
      [
        """
        With people and escalations in the config, a reminder reaches one person after another until somebody \
        answers. 'belfry people' shows what reaches each of them, 'belfry explain ID --if-unanswered' who is asked when.
        """
      ]
    ),
    (
      "THE WEB AND CALENDARS",
      [
        """
        'belfry web --open' starts belfry-web(1) and signs your browser in; phones get a link from 'belfry access link'. \
        'belfry access add NAME --scope feed' prints the URL of a calendar to subscribe to, 'belfry access add NAME' a \
        token for a program. 'belfry export' and 'belfry import' exchange files with calendars and other programs; a \
        store of type vdir works in a folder of calendars itself.
        """
      ]
    ),
    (
      "A DAMAGED STORE",
      [
        """
        A store that is damaged or gone is refused with 74 and left as it is. Stop the daemon, go back to the last good \
        copy with 'belfry store restore', and start it again. Numbers go on, and what rang does not ring again.
        """
      ]
    ),
  ]

  static let signals: [(label: String, words: String)] = [
    ("HUP", "Reloads the config; an invalid one is reported and changes nothing."),
    (
      "TERM, INT",
      "Exits: claims no more reminders, gives attempts in flight five seconds; the rest is sent after the next start."
    ),
  ]

  static let service = """
    Under systemd the daemon is of Type=notify: it reports when it is ready, reloads and stops, and its next reminder, \
    which systemctl status shows. With WatchdogSec= its scheduler loop sends keep-alive pings, so that a daemon that \
    hangs is restarted. NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID are read as sd_notify(3) describes them.
    """

  static let web = [
    """
    belfry-web serves the web face over the store of the config, by HTTP, where web.listen says: on this machine alone, \
    unless told otherwise. It is a separate program, so that no fault in it can stop belfryd. To be reached from other \
    machines it needs a proxy that provides https, and its URL in web.public_url. 'belfry web' starts it.
    """,
    """
    There are no passwords. 'belfry access link' makes a link by which a browser signs in, 'belfry access add' a token \
    for a program, or with '--scope feed' the URL of a calendar to subscribe to. A person whom the config gives an \
    address and a sink of type email can have a link mailed.
    """,
  ]

  static let webSignals: [(label: String, words: String)] = [
    (
      "HUP",
      "Reloads the config. One that is invalid, or names another store or address, is reported and changes nothing."
    ),
    ("TERM, INT", "Ends: no new connections, three seconds for requests under way."),
  ]

  static let webService = [
    """
    Under systemd it is of Type=notify. Its socket unit listens and starts it with the first connection; it ends after \
    ten minutes without one, and the next connection starts it again. LISTEN_FDS, LISTEN_PID and \
    NOTIFY_SOCKET are read as sd_listen_fds(3) and sd_notify(3) describe them. The address is that of \
    belfry-web.socket, which 'belfry service install' writes from web.listen.
    """,
    """
    If it fails to start too often, for example with an invalid config, systemd stops its socket: \
    'systemctl restart belfry-web.socket' starts it again.
    """,
  ]
}
