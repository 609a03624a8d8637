#include "limits.h"
#include "server.h"
#include "transfers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The most reminders that a commit claims, as in Belfry.
enum { claim_size = 256, most_sinks = 16, waiting_room = 4096 };

struct sink {
  char name[16];
  int64_t waiting[waiting_room];
  long next, waiting_count, free;
};

struct transfer {
  CURL *handle;
  struct sink *sink;
  int64_t delivery;
  int is_busy, has_ended;
};

struct outbox {
  PGconn *server;
  struct bytes body;
  char now[24];
  struct sink sinks[most_sinks];
  struct transfer transfers[most_connections];
  long sink_count, transfer_count;
  int64_t next_message, next_delivery;
  int has_more, has_ended;
};

// The statements that Belfry runs, in its words.
static void prepare_all(PGconn *server) {
  prepare(server, "lock", "SELECT next_message_id, next_delivery_id FROM store FOR UPDATE");
  prepare(server, "look", "SELECT next_message_id, next_delivery_id FROM store");
  prepare(server, "lead", "SELECT 1 FROM leader WHERE member = 1 AND term = 1 FOR SHARE");
  prepare(server, "due",
          "SELECT owner_id, wall_time, lead_days, lead_minutes, kind, serial, uuid, fire_date FROM reminder"
          " WHERE state = 0 AND fire_date <= $1 ORDER BY fire_date, owner_is_list, owner_id, wall_time LIMIT $2");
  prepare(server, "ring",
          "INSERT INTO reminder (owner_is_list, owner_id, wall_time, lead_days, lead_minutes, kind, serial, uuid, fire_date,"
          " state, changed_at, unknown) VALUES ('f', $1, $2, $3, $4, $5, $6, $7, $8, '1', $9, NULL)"
          " ON CONFLICT (owner_is_list, owner_id, wall_time, lead_days, lead_minutes, kind, serial) DO UPDATE"
          " SET fire_date = excluded.fire_date, state = excluded.state, changed_at = excluded.changed_at,"
          " unknown = excluded.unknown");
  prepare(server, "item",
          "SELECT list.name, item.*, (SELECT min(fire_date) FROM reminder"
          " WHERE owner_is_list = FALSE AND owner_id = item.id AND state = 0)"
          " FROM item JOIN list ON list.id = item.list_id WHERE item.id = $1");
  prepare(server, "message",
          "INSERT INTO message (id, uuid, sink, contents, created_at, domain, answer_key, answer_expiry, withdrawable, person,"
          " unknown) VALUES ($1, gen_random_uuid(), $2, $3, $4, NULL, NULL, NULL, 't', 0, NULL)");
  prepare(server, "owner",
          "INSERT INTO message_owner (owner_is_list, owner_id, message_id) VALUES ('f', $1, $2) ON CONFLICT DO NOTHING");
  prepare(server, "delivery",
          "INSERT INTO delivery (id, message_id, sink, recipient, fire_date, state, attempts, permitted_from, next_attempt_at)"
          " VALUES ($1, $2, $3, NULL, $4, 0, 0, $5, $6)");
  prepare(server, "store",
          "UPDATE store SET next_message_id = $1, next_delivery_id = $2, changes = changes + 1,"
          " changed_at = extract(epoch FROM clock_timestamp())::bigint");
  prepare(server, "begin",
          "WITH lease AS (SELECT sink, term FROM sink_lease WHERE member = 1 FOR SHARE),"
          " due AS (SELECT delivery.id, lease.term FROM delivery JOIN lease ON lease.sink = delivery.sink"
          " WHERE delivery.id = ANY (string_to_array($1, ',')::bigint[]) AND state = 0 AND next_attempt_at <= $3"
          " FOR UPDATE OF delivery SKIP LOCKED)"
          " UPDATE delivery SET begun_at = $2, begun_term = due.term FROM due WHERE delivery.id = due.id"
          " RETURNING delivery.id, delivery.sink");
  prepare(server, "hold",
          "SELECT delivery.id FROM delivery JOIN unnest(string_to_array($1, ',')::bigint[]) AS begin (id)"
          " ON begin.id = delivery.id AND delivery.begun_term = 1 ORDER BY delivery.id FOR UPDATE OF delivery NOWAIT");
  prepare(server, "end",
          "UPDATE delivery SET state = 1, attempts = attempts + 1, next_attempt_at = NULL, last_attempt_at = $1,"
          " closed_at = $1, last_error = NULL WHERE id = $2 AND state = 0");
  prepare(server, "attempt",
          "INSERT INTO attempt (delivery_id, started_at, outcome, words, serial) VALUES ($1, $2, 0, 'HTTP 204',"
          " coalesce((SELECT max(serial) FROM attempt WHERE delivery_id = $1), 0) + 1)");
  prepare(server, "round", "UPDATE round SET changes = changes + 1 WHERE number = 1");
}

static const char *text(char *buffer, int64_t number) {
  snprintf(buffer, 24, "%lld", (long long)number);
  return buffer;
}

static void claim(struct outbox *outbox) {
  PGconn *server = outbox->server;
  char limit[24], message[24], delivery[24];
  run(server, "lead", 0, NULL);
  PGresult *due = rows(server, "due", 2, (const char *[]){outbox->now, text(limit, claim_size)});
  for (int each = 0; each < PQntuples(due); each++) {
    const char *ring[9];
    for (int column = 0; column < 8; column++) ring[column] = PQgetvalue(due, each, column);
    ring[8] = outbox->now;
    run(server, "ring", 9, ring);
    PGresult *item = rows(server, "item", 1, ring);
    // The lists are `List 0` and so on; the reminders of each go to the sink of its number.
    struct sink *sink = &outbox->sinks[atol(PQgetvalue(item, 0, 0) + strlen("List "))];
    PQclear(item);
    text(message, outbox->next_message++);
    run(server, "message", 4, (const char *[]){message, sink->name, outbox->body.start, outbox->now});
    run(server, "owner", 2, (const char *[]){ring[0], message});
    int64_t id = outbox->next_delivery++;
    run(server, "delivery", 6, (const char *[]){text(delivery, id), message, sink->name, ring[7], outbox->now, ring[7]});
    sink->waiting[(sink->next + sink->waiting_count++) % waiting_room] = id;
  }
  outbox->has_more = PQntuples(due) == claim_size;
  PQclear(due);
  run(server, "store", 2,
      (const char *[]){text(message, outbox->next_message), text(delivery, outbox->next_delivery)});
}

// Appends a number to a list that is separated by commas.
static void append(char *list, int64_t number) {
  char *end = list + strlen(list);
  sprintf(end, "%s%lld", end == list ? "" : ",", (long long)number);
}

static void record(struct outbox *outbox) {
  char ended[24 * most_connections] = "", id[24];
  for (long each = 0; each < outbox->transfer_count; each++)
    if (outbox->transfers[each].has_ended) append(ended, outbox->transfers[each].delivery);
  run(outbox->server, "hold", 1, (const char *[]){ended});
  for (long each = 0; each < outbox->transfer_count; each++) {
    struct transfer *transfer = &outbox->transfers[each];
    if (!transfer->has_ended) continue;
    transfer->has_ended = 0;
    transfer->sink->free++;
    text(id, transfer->delivery);
    run(outbox->server, "end", 2, (const char *[]){outbox->now, id});
    run(outbox->server, "attempt", 2, (const char *[]){id, outbox->now});
  }
  outbox->has_ended = 0;
}

// Begins as many deliveries as there are free connections, and returns the rows that were begun; NULL for none.
static PGresult *begin(struct outbox *outbox) {
  char ids[24 * most_connections] = "";
  for (long each = 0; each < outbox->sink_count; each++) {
    struct sink *sink = &outbox->sinks[each];
    for (; sink->free && sink->waiting_count; sink->free--, sink->waiting_count--)
      append(ids, sink->waiting[sink->next++ % waiting_room]);
  }
  return *ids ? rows(outbox->server, "begin", 3, (const char *[]){ids, outbox->now, outbox->now}) : NULL;
}

static int claims(struct outbox *outbox) {
  long waiting = 0;
  for (long each = 0; each < outbox->sink_count; each++) waiting += outbox->sinks[each].waiting_count;
  return outbox->has_more && waiting < outbox->transfer_count;
}

// One commit for the outcomes of the last round, the begins of the next, and a claim. Returns how many it began.
static int commit(struct outbox *outbox, CURLM *multi) {
  PGconn *server = outbox->server;
  int is_claiming = claims(outbox);
  order(server, "BEGIN ISOLATION LEVEL READ COMMITTED");
  PGresult *store = rows(server, is_claiming ? "lock" : "look", 0, NULL);
  (outbox->next_message = number_at(store, 0, 0)), (outbox->next_delivery = number_at(store, 0, 1));
  PQclear(store);
  if (outbox->has_ended) record(outbox);
  PGresult *begun = begin(outbox);
  if (is_claiming) claim(outbox);
  else run(server, "round", 0, NULL);
  order(server, "COMMIT");
  int count = begun ? PQntuples(begun) : 0;
  for (int each = 0; each < count; each++) {
    struct sink *sink = &outbox->sinks[atol(PQgetvalue(begun, each, 1) + strlen("hook"))];
    struct transfer *transfer = outbox->transfers;
    while (transfer->is_busy || transfer->sink != sink) transfer++;
    (transfer->delivery = number_at(begun, each, 0)), (transfer->is_busy = 1);
    curl_multi_add_handle(multi, transfer->handle);
  }
  PQclear(begun);
  return count;
}

static int can_begin(struct outbox *outbox) {
  for (long each = 0; each < outbox->sink_count; each++)
    if (outbox->sinks[each].free && outbox->sinks[each].waiting_count) return 1;
  return 0;
}

static void take_sinks(struct outbox *outbox, const char *hook, const char *headers, long sinks, long slots) {
  struct curl_slist *list = header_list(headers);
  (outbox->sink_count = sinks), (outbox->transfer_count = sinks * slots);
  order(outbox->server, "UPDATE leader SET term = 1, member = 1");
  for (long each = 0; each < sinks; each++) {
    struct sink *sink = &outbox->sinks[each];
    char sql[128];
    snprintf(sink->name, sizeof sink->name, "hook%ld", each);
    snprintf(sql, sizeof sql, "INSERT INTO sink_lease (sink, member, term) VALUES ('%s', 1, 1)", sink->name);
    order(outbox->server, sql);
    sink->free = slots;
  }
  for (long each = 0; each < outbox->transfer_count; each++) {
    outbox->transfers[each].handle = post_handle(each, hook, list, outbox->body);
    outbox->transfers[each].sink = &outbox->sinks[each / slots];
  }
}

int shared_deliver(const char *url, const char *hook, const char *headers, const char *body, long sinks, long slots,
                   const char *now) {
  if (sinks < 1 || sinks > most_sinks || slots < 1 || sinks * slots > most_connections) return 64;
  static struct outbox outbox;
  outbox.server = connected_server(url);
  outbox.body = contents(body);
  outbox.has_more = 1;
  snprintf(outbox.now, sizeof outbox.now, "%s", now);
  take_sinks(&outbox, hook, headers, sinks, slots);
  prepare_all(outbox.server);
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, sinks * slots);
  double start = monotonic_seconds();
  for (long busy = 0; busy || outbox.has_ended || outbox.has_more || can_begin(&outbox);) {
    int running = 0;
    if (outbox.has_ended || can_begin(&outbox) || claims(&outbox)) busy += commit(&outbox, multi);
    curl_multi_perform(multi, &running);
    if (busy && running == busy && !can_begin(&outbox)) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    curl_multi_perform(multi, &running);
    for (long own; next_ended(multi, &own);) {
      struct transfer *transfer = &outbox.transfers[own];
      (transfer->is_busy = 0), (transfer->has_ended = 1), (outbox.has_ended = 1);
      busy--;
    }
  }
  printf("%.6f\n", monotonic_seconds() - start);
  PQfinish(outbox.server);
  return 0;
}

static int by_size(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

int shared_due(const char *url, long limit, long times) {
  enum { most_times = 1000 };
  double samples[most_times];
  if (times < 1 || times > most_times) return 64;
  PGconn *server = connected_server(url);
  char text_of_limit[24];
  prepare_all(server);
  for (long each = 0; each < times; each++) {
    double start = monotonic_seconds();
    order(server, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    PGresult *due = rows(server, "due", 2, (const char *[]){"253402300799", text(text_of_limit, limit)});
    int64_t sum = 0;
    for (int row = 0; row < PQntuples(due); row++) sum += number_at(due, row, 0);
    if (PQntuples(due) != limit || !sum) return 74;
    PQclear(due);
    order(server, "COMMIT");
    samples[each] = (monotonic_seconds() - start) * 1e3;
  }
  qsort(samples, (size_t)times, sizeof *samples, by_size);
  printf("%.6f\n", (samples[(times - 1) / 2] + samples[times / 2]) / 2);
  PQfinish(server);
  return 0;
}
