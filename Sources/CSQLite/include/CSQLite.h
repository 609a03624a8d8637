#ifndef BELFRY_SQLITE_H
#define BELFRY_SQLITE_H

// SQLite's interface, with functions for its variadic ones, which Swift cannot call.

#include <sqlite3.h>

/// Turns off memory statistics, which take a lock at each allocation. Call before any other use of SQLite. Returns
/// SQLite's result code.
int belfry_sqlite_configure(void);

/// Makes a connection enforce foreign keys, sync at each commit, and not checkpoint the write-ahead log when it closes.
/// Returns SQLite's result code.
int belfry_sqlite_set_up(sqlite3 *connection);

/// Makes a connection wait up to `milliseconds` for the locks of others. SQLite's own busy timeout pauses longer after
/// each try, up to 100 ms, and so lets a program that writes without rest keep the others out. Returns SQLite's result
/// code.
int belfry_sqlite_wait_for_locks(sqlite3 *connection, int milliseconds);

/// The table of a result column; NULL for an expression, or if SQLite cannot tell.
const char *belfry_sqlite_table_of_column(sqlite3_stmt *statement, int column);

#endif
