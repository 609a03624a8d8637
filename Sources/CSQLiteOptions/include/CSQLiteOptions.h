#ifndef BELFRY_SQLITE_OPTIONS_H
#define BELFRY_SQLITE_OPTIONS_H

// Connection options that SQLite sets through a variadic function, which Swift cannot call.

/// Leaves the write-ahead log as it is when the last connection closes. Returns SQLite's result code.
int belfry_sqlite_keep_log_on_close(void *connection);

#endif
