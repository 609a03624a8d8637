#ifndef BELFRY_SQLITE_H
#define BELFRY_SQLITE_H

// SQLite's own interface, and the one function of it that is variadic and that Swift cannot call.

#include <sqlite3.h>

/// Leaves the write-ahead log as it is when the last connection closes. Returns SQLite's result code.
int belfry_sqlite_keep_log_on_close(sqlite3 *connection);

#endif
