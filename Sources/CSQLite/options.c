#include "CSQLite.h"

#include <stddef.h>

int belfry_sqlite_keep_no_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

int belfry_sqlite_set_up(sqlite3 *connection) {
  // An SQLite that does not know this only takes longer to close.
  sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
  return code == SQLITE_OK ? sqlite3_exec(connection, "PRAGMA synchronous = FULL", NULL, NULL, NULL) : code;
}
