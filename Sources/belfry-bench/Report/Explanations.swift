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
    "add-few": command("26", parser: "67", own: "32"),
    "add-huge": command("26", parser: "67", own: "32"),
    "show-many": command("23", parser: "58", own: "40"),
    "show-huge": command("23", parser: "58", own: "40"),
    "check-many": command("24", parser: "56", own: "42"),
    "pending": command("23", parser: "57", own: "41"),
    "import": """
    of 91,000 instructions an item half are SQLite's own, as in C; 14 % read the property list, which C does not, 6 % \
    name reminders (SHA-1); the rest checks the item, computes its reminder, and binds 34 columns.
    """,
    "insert": """
    of 209,000 instructions an item, beside its `fsync`, C has 142,000; the rest is how to undo it, which C does not \
    keep, the check of the item, its reminder, and the machine's zone, looked at each time.
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
    takes, \(own) % the command itself with config, store and output. In both, three fifths of all are Swift's runtime: \
    for each type that is first asked whether it conforms to a protocol it goes through all 7,700 conformances of the \
    program, two thirds of them Foundation's, the standard library's and GRDB's.
    """
  }

  private static func delivery(_ instructions: String, pump: String, claim: String, sending: String) -> String {
    """
    of \(instructions) instructions a delivery \(pump) % read messages back from the store to hand them out, most of it \
    JSON, \(claim) % claim and write them, \(sending) % make and send them, a third of that in libcurl.
    """
  }
}
