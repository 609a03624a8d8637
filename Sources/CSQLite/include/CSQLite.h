#ifndef BELFRY_SQLITE_H
#define BELFRY_SQLITE_H

// SQLite's own interface, and those calls of its variadic functions that Swift cannot make.

#include <sqlite3.h>

/// Does without the statistics of memory, for which each allocation takes a lock; before any other use of SQLite.
/// Returns SQLite's result code.
int belfry_sqlite_keep_no_statistics(void);

/// Makes a connection hold foreign keys, sync each commit, and leave the write-ahead log as it is when it closes.
/// Returns SQLite's result code.
int belfry_sqlite_set_up(sqlite3 *connection);

#endif
