/// Why a row is not reached, from profiles that were taken of it; shown beneath the table for each such row.
///
/// Each is the result of `valgrind --tool=callgrind` on the release build, whose shares do not depend on the machine's
/// load; whoever makes a row faster takes its profile again.
enum Explanations {
  /// The explanation of a row by its key.
  static let texts: [String: String] = [
    "start-up": """
    it is answered before anything is parsed: what is left is loading a program of 69 MiB that can be loaded anywhere, \
    some 98,000 relocations, and its libraries.
    """,
    "add-few": command("38", parser: "61", own: "25"),
    "add-huge": command("38", parser: "61", own: "25"),
    "show-many": command("35", parser: "57", own: "28"),
    "show-huge": command("35", parser: "57", own: "28"),
    "check-many": command("38", parser: "61", own: "25"),
    "pending": command("35", parser: "57", own: "28"),
    "import": """
    of 232,000 instructions an item 25 % are SQLite's own, as in C; 19 % read the property list, which C does not; the \
    rest checks the item, computes its reminder and its UUIDs, and binds 34 columns.
    """,
    "insert": """
    of 404,000 instructions an item, beside its `fsync`, 28 % are SQLite's own, 12 % how to undo it, which C does not \
    keep, 9 % the machine's zone, looked up each time, 8 % UUIDs; the rest checks the item and binds its columns.
    """,
    "due": """
    of 755,000 instructions a query 63 % are SQLite's own, 23 % make reminders of its rows, 4 % begin and end the \
    transaction that the C program does not need.
    """,
    "idle-memory": """
    of 32 MiB resident 3.7 are the process's own; 18 are clean pages of the program's file and 9 of libcurl's libraries, \
    which the kernel takes back when memory is short.
    """,
    "idle-cpu": monitor,
    "idle-wakes": monitor,
    "webhook": delivery("915,000", pump: "36", claim: "27", sending: "24"),
    "mail-1": delivery("2,066,000", pump: "30", claim: "12", sending: "50"),
    "mail-8": delivery("2,066,000", pump: "30", claim: "12", sending: "50"),
    "crowd-1000": crowd,
    "crowd-10000": crowd,
    "webhook-burst": """
    the time of a whole process: its start, the claim of everything in one synced transaction before the first goes \
    out, and the last record; Alertmanager was up already and records nothing before it sends.
    """,
  ]

  private static let monitor = """
    Belfry's own thread wakes once a minute; once a second, `strace` shows, libdispatch looks after its pool of \
    threads, from the first task on that ran in it.
    """

  private static let crowd = """
    each line is printed after its message and delivery were written, synced, and read back for the sink; remind writes \
    nothing. Of the scheduler's thread, by `perf`, a third is SQLite's, a fifth the kernel's with the syncs, the rest \
    makes, writes and parses messages.
    """

  private static func command(_ millions: String, parser: String, own: String) -> String {
    """
    of \(millions) million instructions \(parser) % are swift-argument-parser finding out by reflection what the command \
    takes, 11 % the program's relocations, \(own) % the command itself with config, store and output (before a command \
    that is named first was read alone).
    """
  }

  private static func delivery(_ instructions: String, pump: String, claim: String, sending: String) -> String {
    """
    of \(instructions) instructions a delivery \(pump) % read messages back from the store to hand them out, most of it \
    JSON, \(claim) % claim and write them, \(sending) % make and send them, a third of that in libcurl.
    """
  }
}
