#ifndef BELFRY_SQLITE_H
#define BELFRY_SQLITE_H

// SQLite's own interface, and those calls of its variadic functions that Swift cannot make.

#include <sqlite3.h>

/// Does without the statistics of memory, for which each allocation takes a lock; before any other use of SQLite.
/// Returns SQLite's result code.
int belfry_sqlite_configure(void);

/// Makes a connection hold foreign keys, sync each commit, and leave the write-ahead log as it is when it closes.
/// Returns SQLite's result code.
int belfry_sqlite_set_up(sqlite3 *connection);

/// The table that a column of a statement's result comes from; NULL where it comes from none, or SQLite cannot tell.
const char *belfry_sqlite_table_of_column(sqlite3_stmt *statement, int column);

#endif
