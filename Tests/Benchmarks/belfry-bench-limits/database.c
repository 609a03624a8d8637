#include "database.h"
#include <stdio.h>
#include <stdlib.h>

sqlite3 *opened(const char *path) {
  sqlite3 *database = NULL;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
      sqlite3_exec(database, "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0", NULL, NULL, NULL) != SQLITE_OK) {
    fprintf(stderr, "%s: %s\n", path, sqlite3_errmsg(database));
    exit(74);
  }
  sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  return database;
}

void must(sqlite3 *database, int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "%s\n", sqlite3_errmsg(database));
  exit(74);
}

void execute(sqlite3 *database, const char *sql) { must(database, sqlite3_exec(database, sql, NULL, NULL, NULL)); }

sqlite3_stmt *prepared(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  must(database, sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
  return statement;
}

void finish(sqlite3 *database, sqlite3_stmt *statement) {
  must(database, sqlite3_step(statement));
  sqlite3_reset(statement);
}

int64_t number(sqlite3 *database, sqlite3_stmt *statement) {
  must(database, sqlite3_step(statement));
  int64_t value = sqlite3_column_int64(statement, 0);
  sqlite3_reset(statement);
  return value;
}

void bind_uuid(sqlite3_stmt *statement, int place) {
  static uint64_t random = 0x9e3779b97f4a7c15;
  uint64_t bytes[2];
  for (int half = 0; half < 2; half++) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    bytes[half] = random;
  }
  sqlite3_bind_blob(statement, place, bytes, sizeof bytes, SQLITE_TRANSIENT);
}
