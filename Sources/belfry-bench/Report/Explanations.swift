/// Why a row is not reached, from profiles that were taken of it; shown beneath the table for each such row.
///
/// Each is the result of `valgrind --tool=callgrind` on the release build, whose shares do not depend on the machine's
/// load; whoever makes a row faster takes its profile again.
enum Explanations {
  /// The explanation of a row by its key.
  static let texts: [String: String] = [
    "start-up": "it is answered before anything is parsed: what is left is the start of a process.",
    "add-few": command("24", parser: "73", own: "26"),
    "add-many": command("24", parser: "73", own: "26"),
    "add-huge": command("24", parser: "73", own: "26"),
    "show-many": command("21", parser: "64", own: "34"),
    "show-huge": command("21", parser: "64", own: "34"),
    "check-many": command("22", parser: "61", own: "37"),
    "pending": command("21", parser: "62", own: "36"),
    "import": """
    of 91,000 instructions an item half are SQLite's own, as in C; 14 % read the property list, which C does not, 6 % \
    name reminders (SHA-1); the rest checks the item, computes its reminder, and binds 34 columns.
    """,
    "insert": """
    of 180,000 instructions an item, beside its `fsync`, C has 142,000; the rest is how to undo it, which C does not \
    keep, the check of the item, its reminder, and whether the file is still the one that stands at the path.
    """,
    "due": """
    of 755,000 instructions a query 63 % are SQLite's own, 23 % make reminders of its rows, 4 % begin and end the \
    transaction that the C program does not need.
    """,
    "idle-memory": """
    4 MiB are the process's own; the rest are clean pages of the program's file, which the kernel takes back when memory \
    is short.
    """,
    "ring": """
    the claim is synced before the line is printed, which takes most of it; the worst ones waited for the disk or for a \
    core: a hundred daemons share two.
    """,
    "idle-cpu": """
    one look a minute at what is due and what is soonest, in four transactions that only read: 0.3 ms each with a core \
    to itself, more while other rows keep both busy, as here.
    """,
    "idle-wakes": """
    one look a minute at what is due, counted once more where the rows measured meanwhile interrupted it.
    """,
    "webhook": delivery("337,000", claim: "44", record: "7", sending: "17", libcurl: "23"),
    "mail-1": delivery("858,000", claim: "17", record: "7", sending: "24", libcurl: "52"),
    "mail-8": delivery("858,000", claim: "17", record: "7", sending: "24", libcurl: "52"),
    "crowd-1000": crowd,
    "crowd-10000": crowd,
    "webhook-burst": """
    the time of a whole process: its start with libcurl, the claims, each synced before what it claimed goes out, and \
    the last record; Alertmanager was up already and records nothing before it sends.
    """,
  ]

  private static let crowd = """
    each line is printed after its message and delivery were written and synced, and recorded afterwards; remind writes \
    nothing. Of 216,000 instructions a delivery 117,000 are SQLite's.
    """

  private static func command(_ millions: String, parser: String, own: String) -> String {
    """
    of \(millions) million instructions \(parser) % are swift-argument-parser finding out by reflection what the command \
    takes, \(own) % the command itself with config, store and output. In both, three fifths of all are Swift's runtime: \
    for each type that is first asked whether it conforms to a protocol it goes through all 7,700 conformances of the \
    program, two thirds of them Foundation's, the standard library's and GRDB's.
    """
  }

  private static func delivery(
    _ instructions: String, claim: String, record: String, sending: String, libcurl: String
  ) -> String {
    """
    of \(instructions) instructions a delivery \(libcurl) % are libcurl's, as in C, \(claim) % claim and write it, synced \
    before it goes out, \(record) % record it, \(sending) % make and send it.
    """
  }
}
