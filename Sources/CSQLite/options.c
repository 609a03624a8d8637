#include "CSQLite.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

// Missing from an SQLite built without SQLITE_ENABLE_COLUMN_METADATA.
const char *sqlite3_column_table_name(sqlite3_stmt *, int) __attribute__((weak));

int belfry_sqlite_configure(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

int belfry_sqlite_set_up(sqlite3 *connection) {
  // Optional: an SQLite without this setting only takes longer to close.
  sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
  return code == SQLITE_OK ? sqlite3_exec(connection, "PRAGMA synchronous = FULL", NULL, NULL, NULL) : code;
}

const char *belfry_sqlite_table_of_column(sqlite3_stmt *statement, int column) {
  return sqlite3_column_table_name == NULL ? NULL : sqlite3_column_table_name(statement, column);
}

// The first tries are a millisecond apart, the others ten.
static const int fast_tries = 100;

static int wait_for_lock(void *limit, int tries) {
  const int is_fast = tries < fast_tries;
  const int waited = is_fast ? tries : fast_tries + (tries - fast_tries) * 10;
  if (waited >= (intptr_t)limit) return 0;
  const struct timespec pause = {.tv_nsec = (is_fast ? 1 : 10) * 1000000L};
  nanosleep(&pause, NULL);
  return 1;
}

int belfry_sqlite_wait_for_locks(sqlite3 *connection, int milliseconds) {
  return sqlite3_busy_handler(connection, wait_for_lock, (void *)(intptr_t)milliseconds);
}
