import DaemonModels
import Testing

/// What several daemons of one store have done, as events for a replay: the server notes each change, the collector each
/// arrival, and the run each fault.
///
/// Events are in the order of their times, since all clocks are one machine's. A change gets its time at its commit,
/// while it still has its locks and before anyone sees it: a change that waits for these locks, or depends on what it
/// wrote, gets a later one. What a commit has begun arrives after it, and is recorded after it has arrived.
struct DaemonTrace {
  /// Has a server note the changes of a store from now on.
  static let statements = """
    CREATE TABLE public.trace (
      id bigint GENERATED ALWAYS AS IDENTITY, change bigint DEFAULT pg_current_xact_id()::text::bigint,
      session bigint DEFAULT pg_backend_pid(), kind text, a bigint, b bigint, c bigint, name text, message uuid);
    CREATE FUNCTION public.note_event() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        written record;
      BEGIN
        CASE TG_ARGV[0]
        WHEN 'joined' THEN
          INSERT INTO public.trace (kind, a, b) VALUES ('joined', NEW.id, NEW.process);
        WHEN 'gone' THEN
          -- A daemon removes itself by its number, and others by their leases.
          INSERT INTO public.trace (kind, a, b) VALUES (
            CASE WHEN current_query() LIKE '%SKIP LOCKED%' THEN 'evicted' ELSE 'left' END, OLD.id,
            (OLD.until < clock_timestamp())::int);
        WHEN 'led' THEN
          INSERT INTO public.trace (kind, a, b) VALUES ('led', NEW.member, NEW.term);
        WHEN 'leased' THEN
          INSERT INTO public.trace (kind, a, b, name) VALUES ('leased', NEW.member, NEW.term, NEW.sink);
        WHEN 'written' THEN
          SELECT uuid, contents::json->0->'update' IS NOT NULL AS is_update,
              (SELECT min(owner_id) FROM belfry.message_owner WHERE message_id = message.id) AS item
            INTO written FROM belfry.message WHERE id = NEW.message_id;
          INSERT INTO public.trace (kind, a, b, c, name, message) VALUES (
            CASE WHEN written.is_update THEN 'written' ELSE 'claimed' END, NEW.id, written.item,
            -- The leader's row is locked by each of its changes.
            (SELECT member FROM belfry.leader WHERE xmax = pg_current_xact_id()::xid), NEW.sink, written.uuid);
        WHEN 'begun' THEN
          INSERT INTO public.trace (kind, a, b, c) VALUES (
            CASE WHEN NEW.begun_term IS NULL THEN 'unbegun' ELSE 'begun' END, NEW.id,
            substring(current_query() FROM 'member = ([0-9]+)')::bigint, NEW.begun_term);
        WHEN 'closed' THEN
          INSERT INTO public.trace (kind, a, b)
            SELECT CASE NEW.state WHEN 1 THEN 'recorded' ELSE 'cancelled' END, NEW.id, 1 WHERE NEW.state IN (1, 3);
        WHEN 'attempted' THEN
          INSERT INTO public.trace (kind, a, b)
            SELECT CASE WHEN NEW.words LIKE 'belfryd was killed%' THEN 'lost' ELSE 'recorded' END, id,
              (NEW.outcome = 0)::int
            FROM belfry.delivery WHERE id = NEW.delivery_id AND NOT (state = 1 AND NEW.outcome = 0);
        WHEN 'answered' THEN
          INSERT INTO public.trace (kind, a) VALUES ('answered', NEW.id);
        END CASE;
        RETURN NULL;
      END $$;
    CREATE TRIGGER trace_joined AFTER INSERT ON belfry.member FOR EACH ROW EXECUTE FUNCTION public.note_event('joined');
    CREATE TRIGGER trace_gone AFTER DELETE ON belfry.member FOR EACH ROW EXECUTE FUNCTION public.note_event('gone');
    CREATE TRIGGER trace_led AFTER UPDATE OF term ON belfry.leader
      FOR EACH ROW EXECUTE FUNCTION public.note_event('led');
    CREATE TRIGGER trace_leased AFTER INSERT OR UPDATE OF member ON belfry.sink_lease
      FOR EACH ROW EXECUTE FUNCTION public.note_event('leased');
    CREATE TRIGGER trace_written AFTER INSERT ON belfry.delivery
      FOR EACH ROW EXECUTE FUNCTION public.note_event('written');
    CREATE TRIGGER trace_begun AFTER UPDATE OF begun_term ON belfry.delivery
      FOR EACH ROW EXECUTE FUNCTION public.note_event('begun');
    CREATE TRIGGER trace_closed AFTER UPDATE OF state ON belfry.delivery
      FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION public.note_event('closed');
    CREATE TRIGGER trace_attempted AFTER INSERT ON belfry.attempt
      FOR EACH ROW EXECUTE FUNCTION public.note_event('attempted');
    CREATE TRIGGER trace_answered AFTER UPDATE OF is_checked ON belfry.item
      FOR EACH ROW WHEN (NEW.is_checked AND NOT OLD.is_checked) EXECUTE FUNCTION public.note_event('answered');
    """

  /// The query of all that was noted, in the order of the commits.
  static let query = """
    SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8, change, session, kind, a, b, c, name, message
    FROM public.trace ORDER BY 1, id
    """

  private(set) var events: [TraceEvent] = []

  private struct Record {
    let time: Double
    let change: String
    let session: String
    let kind: String
    let (a, b, c): (Int?, Int?, Int?)
    let name: String
    let message: String

    init(_ line: Substring) throws {
      let words = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      try #require(words.count == 9, "\(line)")
      time = try #require(Double(words[0]))
      (change, session, kind, name, message) = (words[1], words[2], words[3], words[7], words[8])
      (a, b, c) = (Int(words[4]), Int(words[5]), Int(words[6]))
    }
  }

  /// A trace.
  ///
  /// - Parameters:
  ///   - noted: the output of ``query``.
  ///   - collected: the lines of the collector: a time, a message, and more.
  ///   - faults: what was done to daemons.
  init(noted: String, collected: [String], faults: [TraceEvent]) throws {
    let records = try noted.split(separator: "\n").map(Record.init)
    let processes = Self.processes(of: records)
    var items: [Int: Int] = [:]
    var deliveries: [String: Int] = [:]
    for record in records where record.kind == "claimed" || record.kind == "written" {
      let id = try #require(record.a)
      deliveries[record.message] = id
      if record.kind == "claimed" { items[id] = record.b }
    }
    let changes = Dictionary(grouping: records, by: \.change)
    func answered(in record: Record) -> Set<Int> {
      Set(changes[record.change, default: []].filter { $0.kind == "answered" }.compactMap(\.a))
    }
    for record in records {
      let a = try #require(record.a ?? (record.kind == "leased" ? 0 : nil))
      let kind: TraceEvent.Kind
      switch record.kind {
      case "joined": kind = .joined(member: a, process: try #require(record.b))
      case "left": kind = .left(member: a)
      case "evicted": kind = .evicted(member: a, isOver: record.b == 1)
      case "led": kind = .led(member: a, term: try #require(record.b))
      case "leased": kind = .leased(sink: record.name, member: record.a, term: try #require(record.b))
      case "claimed":
        kind = .claimed(delivery: a, item: try #require(record.b), sink: record.name, member: record.c)
      case "written": kind = .written(delivery: a, sink: record.name)
      case "begun": kind = .begun(delivery: a, member: try #require(record.b), term: try #require(record.c))
      case "unbegun": kind = .unbegun(delivery: a)
      case "lost": kind = .lost(delivery: a)
      case "answered":
        let cancelled = changes[record.change, default: []].filter { $0.kind == "cancelled" }.compactMap(\.a)
        kind = .answered(item: a, cancelled: cancelled.filter { items[$0] == a })
      case "cancelled":
        if let item = items[a], answered(in: record).contains(item) { continue }
        kind = .cancelled(delivery: a)
      default: kind = .recorded(delivery: a, isDelivered: record.b == 1, process: processes[record.session])
      }
      events.append(TraceEvent(time: record.time, kind))
    }
    for line in collected {
      let words = line.split(separator: " ")
      let id = try #require(deliveries[String(words[1])], "\(line)")
      events.append(TraceEvent(time: try #require(Double(words[0])), .arrived(delivery: id)))
    }
    events += faults
    // Stable, so that what one change has done stays in its order.
    events = events.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  // The process of each session that has begun deliveries. A pooler's sessions belong to several.
  private static func processes(of records: [Record]) -> [String: Int] {
    var members: [Int: Int] = [:]
    var processes: [String: Set<Int>] = [:]
    for record in records {
      if record.kind == "joined", let member = record.a { members[member] = record.b }
      guard record.kind == "begun", let process = record.b.flatMap({ members[$0] }) else { continue }
      processes[record.session, default: []].insert(process)
    }
    return processes.compactMapValues { $0.count == 1 ? $0.first : nil }
  }
}
