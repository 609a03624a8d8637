// Statements on a database that Belfry made. A failure ends the program.
#pragma once
#include <stdint.h>

#include <sqlite3.h>

/// A database made by Belfry: the same tables, indexes and durability.
sqlite3 *opened(const char *path);
/// Ends the program where a call failed.
void must(sqlite3 *database, int code);
void execute(sqlite3 *database, const char *sql);
/// A statement that is run again and again.
sqlite3_stmt *prepared(sqlite3 *database, const char *sql);
/// Runs a statement that gives no rows.
void finish(sqlite3 *database, sqlite3_stmt *statement);
/// The number that a statement gives; 0 for no row.
int64_t number(sqlite3 *database, sqlite3_stmt *statement);
/// Binds 16 bytes that no other row has.
void bind_uuid(sqlite3_stmt *statement, int place);
