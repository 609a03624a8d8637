// Prepared statements on a database server that has Belfry's tables. A failure ends the program.
#pragma once
#include <stdint.h>

#include <postgresql/libpq-fe.h>

/// A connection to the schema `belfry` that Belfry made, with commits that wait for the disk.
PGconn *connected_server(const char *url);
/// Runs a statement that needs no preparation.
void order(PGconn *server, const char *sql);
/// Prepares a statement of the connection.
void prepare(PGconn *server, const char *name, const char *sql);
/// The rows of a prepared statement with values as texts, NULL for none.
PGresult *rows(PGconn *server, const char *name, int count, const char *const *values);
/// Runs a prepared statement whose rows nobody needs.
void run(PGconn *server, const char *name, int count, const char *const *values);
/// A number in a row.
int64_t number_at(PGresult *rows, int row, int column);
