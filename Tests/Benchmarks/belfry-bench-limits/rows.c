#include "database.h"
#include "limits.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer {
  sqlite3 *database;
  sqlite3_stmt *next, *reserve, *place, *item, *reminder;
};

static struct writer writer_of(const char *path) {
  sqlite3 *database = opened(path);
  return (struct writer){
      .database = database,
      .next = prepared(database, "SELECT value FROM meta WHERE key = 'next_item_id'"),
      .reserve = prepared(database, "UPDATE meta SET value = ? WHERE key = 'next_item_id'"),
      .place = prepared(database, "SELECT max(position) FROM item WHERE list_id = 1 AND is_checked = 0"),
      .item = prepared(database,
                       "INSERT INTO item (id, uuid, list_id, position, text, is_checked, due_local, due_at, should_remind,"
                       " created_at, updated_at) VALUES (?, ?, 1, ?, ?, 0, ?, ?, 1, ?, ?)"),
      .reminder = prepared(database, "INSERT INTO reminder VALUES (0, ?, ?, 0, 0, 0, 0, ?, ?, 0, ?, NULL)"),
  };
}

static void add(struct writer *writer) {
  sqlite3 *database = writer->database;
  int64_t id = number(database, writer->next);
  if (id < 1) id = 1;
  int64_t position = number(database, writer->place) + 1;
  int64_t due = 4070908800 + id * 60, now = 1790000000;
  char text[40];
  int length = snprintf(text, sizeof text, "Item %lld", (long long)id);

  sqlite3_bind_int64(writer->reserve, 1, id + 1);
  finish(database, writer->reserve);
  sqlite3_bind_int64(writer->item, 1, id);
  bind_uuid(writer->item, 2);
  sqlite3_bind_int64(writer->item, 3, position);
  sqlite3_bind_text(writer->item, 4, text, length, SQLITE_STATIC);
  sqlite3_bind_int64(writer->item, 5, due / 60);
  sqlite3_bind_int64(writer->item, 6, due);
  sqlite3_bind_int64(writer->item, 7, now);
  sqlite3_bind_int64(writer->item, 8, now);
  finish(database, writer->item);
  sqlite3_bind_int64(writer->reminder, 1, id);
  sqlite3_bind_int64(writer->reminder, 2, due / 60);
  bind_uuid(writer->reminder, 3);
  sqlite3_bind_int64(writer->reminder, 4, due);
  sqlite3_bind_int64(writer->reminder, 5, now);
  finish(database, writer->reminder);
}

// Moves the rows from the log into the database, as Belfry leaves them.
int rows_import(const char *path, long count, long batch) {
  struct writer writer = writer_of(path);
  for (long done = 0; done < count;) {
    execute(writer.database, "BEGIN IMMEDIATE");
    for (long end = done + batch; done < end && done < count; done++) add(&writer);
    execute(writer.database, "COMMIT");
  }
  execute(writer.database, "PRAGMA wal_checkpoint(TRUNCATE)");
  return 0;
}

// The log is checkpointed at 4 MB, as in Belfry.
int rows_insert(const char *path, long count) {
  struct writer writer = writer_of(path);
  execute(writer.database, "PRAGMA wal_autocheckpoint = 1000");
  double start = monotonic_seconds();
  for (long done = 0; done < count; done++) {
    execute(writer.database, "BEGIN IMMEDIATE");
    add(&writer);
    execute(writer.database, "COMMIT");
  }
  return printf("%.6f\n", monotonic_seconds() - start) < 0;
}

int rows_answer(const char *path, long count, long batch) {
  sqlite3 *database = opened(path);
  execute(database, "PRAGMA wal_autocheckpoint = 1000");
  sqlite3_stmt *item = prepared(
      database, "UPDATE item SET is_checked = 1, updated_at = ?2, checked_at = ?2 WHERE id = ?1");
  sqlite3_stmt *answer = prepared(
      database, "INSERT INTO answer (reminder_uuid, ring_uuid, owner_is_list, owner_id, wall_time, lead_days, lead_minutes,"
                " list, text, action, operation, person, channel, external_id, given_at, effect, reply, image)"
                " SELECT uuid, uuid, 0, owner_id, wall_time, 0, 0, 'Inbox', 'Item ' || owner_id, 'done', 'check', 0, 'link',"
                " lower(hex(uuid)) || ' 1 0 60602', ?2, 0, 'checked item ' || owner_id, ?3"
                " FROM reminder WHERE owner_is_list = 0 AND owner_id = ?1");
  int64_t now = 1790000000;
  // As long as what takes an answer to an item with a short text back.
  char image[434];
  memset(image, 'x', sizeof image);
  double start = monotonic_seconds();
  for (int64_t done = 0; done < count;) {
    execute(database, "BEGIN IMMEDIATE");
    for (int64_t end = done + batch; done < end && done < count; done++) {
      sqlite3_bind_int64(item, 1, done + 1);
      sqlite3_bind_int64(item, 2, now);
      finish(database, item);
      sqlite3_bind_int64(answer, 1, done + 1);
      sqlite3_bind_int64(answer, 2, now);
      sqlite3_bind_text(answer, 3, image, sizeof image, SQLITE_STATIC);
      finish(database, answer);
    }
    execute(database, "COMMIT");
  }
  return printf("%.6f\n", monotonic_seconds() - start) < 0;
}

static int ascending(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

int rows_due(const char *path, const char *index, long limit, long times) {
  sqlite3 *database = opened(path);
  char sql[600];
  if (!strcmp(index, "reminder_plain"))
    execute(database, "CREATE INDEX IF NOT EXISTS reminder_plain ON reminder (fire_date) WHERE state = 0");
  snprintf(sql, sizeof sql,
           "SELECT owner_is_list, owner_id, wall_time, lead_days, lead_minutes, kind, serial, uuid, fire_date, state,"
           " changed_at FROM reminder INDEXED BY %s WHERE state = 0 AND fire_date <= 253402300799"
           " ORDER BY fire_date LIMIT %ld", index, limit);
  sqlite3_stmt *statement = prepared(database, sql);
  double *samples = calloc((size_t)times, sizeof *samples);
  if (!samples) return 71;
  volatile int64_t sum = 0;
  for (long round = 0; round < times; round++) {
    double start = monotonic_seconds();
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
      for (int column = 0; column < 11; column++)
        sum += column == 7 ? *(const uint8_t *)sqlite3_column_blob(statement, 7) : sqlite3_column_int64(statement, column);
    }
    must(database, code);
    sqlite3_reset(statement);
    samples[round] = (monotonic_seconds() - start) * 1e3;
  }
  qsort(samples, (size_t)times, sizeof *samples, ascending);
  printf("%.6f\n", samples[times / 2]);
  free(samples);
  return 0;
}
