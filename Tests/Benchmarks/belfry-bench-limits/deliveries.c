#include "database.h"
#include "limits.h"
#include "transfers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// As many reminders as a commit claims.
enum { claim_size = 100 };

struct delivery {
  int64_t id;
  time_t started_at;
};

struct deliverer {
  sqlite3 *database;
  sqlite3_stmt *due, *ring, *message, *owner, *delivery, *end, *attempt, *change;
  struct bytes body;
  // What was claimed and is not started yet, and what ended and is not recorded yet.
  struct delivery waiting[claim_size + most_connections], ended[2 * most_connections];
  long next, waiting_count, ended_count;
  int has_more;
};

static struct deliverer deliverer_of(const char *path, struct bytes body) {
  sqlite3 *database = opened(path);
  execute(database, "PRAGMA wal_autocheckpoint = 1000");
  return (struct deliverer){
      .database = database,
      .due = prepared(database,
                      "SELECT owner_id, wall_time, reminder.uuid, fire_date, item.text, item.uuid, list.name"
                      " FROM reminder JOIN item ON item.id = owner_id JOIN list ON list.id = list_id"
                      " WHERE state = 0 AND fire_date <= ?1 AND owner_is_list = 0 ORDER BY fire_date LIMIT ?2"),
      .ring = prepared(database, "UPDATE reminder SET state = 1, changed_at = ?3 WHERE owner_is_list = 0 AND owner_id = ?1"
                                 " AND wall_time = ?2 AND lead_days = 0 AND lead_minutes = 0 AND kind = 0 AND serial = 0"),
      .message = prepared(database, "INSERT INTO message (uuid, sink, contents, created_at) VALUES (?, 'peer', ?, ?)"),
      .owner = prepared(database, "INSERT INTO message_owner (owner_is_list, owner_id, message_id) VALUES (0, ?, ?)"),
      .delivery = prepared(database,
                           "INSERT INTO delivery (message_id, sink, fire_date, state, attempts, permitted_from,"
                           " next_attempt_at) VALUES (?1, 'peer', ?2, 0, 0, ?3, ?3)"),
      .end = prepared(database, "UPDATE delivery SET state = 1, attempts = 1, next_attempt_at = NULL, last_attempt_at = ?2,"
                                " closed_at = ?3 WHERE id = ?1"),
      .attempt = prepared(database, "INSERT INTO attempt (delivery_id, serial, started_at, outcome) VALUES (?, 1, ?, 0)"),
      .change = prepared(database, "UPDATE meta SET value = value + 1 WHERE key = 'changes'"),
      .body = body,
      .has_more = 1,
  };
}

static int64_t insert_message(struct deliverer *deliverer, int64_t item, time_t now) {
  sqlite3 *database = deliverer->database;
  bind_uuid(deliverer->message, 1);
  sqlite3_bind_text(deliverer->message, 2, deliverer->body.start, (int)deliverer->body.count, SQLITE_STATIC);
  sqlite3_bind_int64(deliverer->message, 3, now);
  finish(database, deliverer->message);
  int64_t message = sqlite3_last_insert_rowid(database);
  sqlite3_bind_int64(deliverer->owner, 1, item);
  sqlite3_bind_int64(deliverer->owner, 2, message);
  finish(database, deliverer->owner);
  return message;
}

static void claim(struct deliverer *deliverer, time_t now) {
  sqlite3 *database = deliverer->database;
  struct {
    int64_t item, wall_time, fire_date;
  } found[claim_size];
  long count = 0;
  sqlite3_bind_int64(deliverer->due, 1, now);
  sqlite3_bind_int64(deliverer->due, 2, claim_size);
  int code;
  while ((code = sqlite3_step(deliverer->due)) == SQLITE_ROW) {
    found[count].item = sqlite3_column_int64(deliverer->due, 0);
    found[count].wall_time = sqlite3_column_int64(deliverer->due, 1);
    found[count++].fire_date = sqlite3_column_int64(deliverer->due, 3);
  }
  must(database, code);
  sqlite3_reset(deliverer->due);
  memmove(deliverer->waiting, deliverer->waiting + deliverer->next,
          (size_t)deliverer->waiting_count * sizeof *deliverer->waiting);
  deliverer->next = 0;
  for (long each = 0; each < count; each++) {
    sqlite3_bind_int64(deliverer->ring, 1, found[each].item);
    sqlite3_bind_int64(deliverer->ring, 2, found[each].wall_time);
    sqlite3_bind_int64(deliverer->ring, 3, now);
    finish(database, deliverer->ring);
    sqlite3_bind_int64(deliverer->delivery, 1, insert_message(deliverer, found[each].item, now));
    sqlite3_bind_int64(deliverer->delivery, 2, found[each].fire_date);
    sqlite3_bind_int64(deliverer->delivery, 3, now);
    finish(database, deliverer->delivery);
    deliverer->waiting[deliverer->waiting_count++].id = sqlite3_last_insert_rowid(database);
  }
  deliverer->has_more = count == claim_size;
}

static void record(struct deliverer *deliverer, time_t now) {
  for (long each = 0; each < deliverer->ended_count; each++) {
    struct delivery *ended = &deliverer->ended[each];
    sqlite3_bind_int64(deliverer->end, 1, ended->id);
    sqlite3_bind_int64(deliverer->end, 2, ended->started_at);
    sqlite3_bind_int64(deliverer->end, 3, now);
    finish(deliverer->database, deliverer->end);
    sqlite3_bind_int64(deliverer->attempt, 1, ended->id);
    sqlite3_bind_int64(deliverer->attempt, 2, ended->started_at);
    finish(deliverer->database, deliverer->attempt);
  }
  deliverer->ended_count = 0;
}

static void commit(struct deliverer *deliverer, long connections) {
  int claims = deliverer->has_more && deliverer->waiting_count < connections;
  time_t now = time(NULL);
  execute(deliverer->database, "BEGIN IMMEDIATE");
  record(deliverer, now);
  if (claims) claim(deliverer, now);
  finish(deliverer->database, deliverer->change);
  execute(deliverer->database, "COMMIT");
}

// A connection, with the number of its outcomes that are not on disk.
struct connection {
  CURL *handle;
  struct delivery delivery;
  int is_busy, unrecorded;
};

static int start(struct deliverer *deliverer, CURLM *multi, struct connection *connection) {
  if (connection->is_busy || connection->unrecorded > 1 || !deliverer->waiting_count) return 0;
  connection->delivery = deliverer->waiting[deliverer->next++];
  deliverer->waiting_count--;
  connection->delivery.started_at = time(NULL);
  connection->is_busy = 1;
  curl_multi_add_handle(multi, connection->handle);
  return 1;
}

int deliveries_post(const char *path, const char *url, const char *headers, const char *body, long count) {
  if (count < 1 || count > most_connections) return 64;
  static struct deliverer deliverer;
  static struct connection connections[most_connections];
  deliverer = deliverer_of(path, contents(body));
  struct curl_slist *list = header_list(headers);
  for (long each = 0; each < count; each++) connections[each].handle = post_handle(each, url, list, deliverer.body);
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, count);
  long busy = 0;
  while (busy || deliverer.ended_count || deliverer.waiting_count || deliverer.has_more) {
    int running = 0;
    // A connection that has nothing on its way waits for the disk, or for a claim. What the others have sent is on its
    // way meanwhile.
    curl_multi_perform(multi, &running);
    if (busy < count && (deliverer.ended_count || deliverer.has_more)) {
      commit(&deliverer, count);
      for (long each = 0; each < count; each++) {
        connections[each].unrecorded = 0;
        busy += start(&deliverer, multi, &connections[each]);
      }
    }
    curl_multi_perform(multi, &running);
    // Where some have ended already, there may be nothing left to wait for.
    if (busy && running == busy) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    curl_multi_perform(multi, &running);
    for (long own; next_ended(multi, &own);) {
      struct connection *connection = &connections[own];
      deliverer.ended[deliverer.ended_count++] = connection->delivery;
      connection->is_busy = 0;
      connection->unrecorded++;
      busy += start(&deliverer, multi, connection) - 1;
    }
  }
  sqlite3_close(deliverer.database);
  return 0;
}
