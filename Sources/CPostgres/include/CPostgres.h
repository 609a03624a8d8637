#ifndef BELFRY_POSTGRES_H
#define BELFRY_POSTGRES_H

// Connections to PostgreSQL by libpq, which is loaded by the first call of belfry_pg_load: no program links it, and none
// of its headers is needed to build. One thread at a time may use a connection and its results.

#include <stddef.h>

struct belfry_pg;
struct belfry_pg_result;

/// How a run of a statement ended.
enum belfry_pg_end {
  /// It succeeded; the result has its rows.
  BELFRY_PG_DONE,
  /// The server refused it; the result has the error.
  BELFRY_PG_REFUSED,
  /// The connection was lost; its message says why.
  BELFRY_PG_LOST,
  /// The server did not answer in time. The connection cannot be used any more.
  BELFRY_PG_SILENT,
};

/// Loads libpq once. Returns the reason why it cannot be used, or NULL. Safe from any thread; the other functions are
/// called only after a success.
const char *belfry_pg_load(void);

/// The number of hosts that a connection string names, at least 1; 0 if libpq cannot read it.
int belfry_pg_hosts(const char *url);

/// Connects, trying each address of each host of the string. Each try takes `seconds` at most, or fewer if the string
/// says so; only a server that refuses is asked a second time, for its SQLSTATE. Returns NULL if there is no memory;
/// belfry_pg_is_connected says whether it is connected.
struct belfry_pg *belfry_pg_open(const char *url, int seconds);

/// Closes a connection; NULL is allowed.
void belfry_pg_close(struct belfry_pg *connection);

/// True while nothing has shown that the connection is lost.
int belfry_pg_is_connected(struct belfry_pg *connection);

/// The last failure of the connection. That of belfry_pg_open begins with SQLSTATE if the server refused it.
const char *belfry_pg_message(struct belfry_pg *connection);

/// The version of the server, such as 150004.
int belfry_pg_server_version(struct belfry_pg *connection);

/// Prepares a statement under a name.
enum belfry_pg_end belfry_pg_prepare(
    struct belfry_pg *connection, const char *name, const char *sql, int milliseconds, struct belfry_pg_result **result);

/// Runs a prepared statement with values as texts, NULL for none.
enum belfry_pg_end belfry_pg_run(
    struct belfry_pg *connection, const char *name, int count, const char *const *values, int milliseconds,
    struct belfry_pg_result **result);

/// Runs a statement that is not prepared, with values as texts, NULL for none.
enum belfry_pg_end belfry_pg_query(
    struct belfry_pg *connection, const char *sql, int count, const char *const *values, int milliseconds,
    struct belfry_pg_result **result);

/// Runs statements without values, separated by semicolons. The result is that of the last one.
enum belfry_pg_end belfry_pg_script(
    struct belfry_pg *connection, const char *sql, int milliseconds, struct belfry_pg_result **result);

/// True while no transaction is open.
int belfry_pg_is_idle(struct belfry_pg *connection);

/// The number of the server's process, as the other end of the connection announced it.
int belfry_pg_process(struct belfry_pg *connection);

/// The descriptor that is readable when something arrives, or -1 without a connection. It may change with each use.
int belfry_pg_socket(struct belfry_pg *connection);

/// Reads what has arrived, and returns the number of notifications by other connections since the last call; -1 if the
/// connection was lost.
int belfry_pg_notices(struct belfry_pg *connection);

/// Frees a result; NULL is allowed.
void belfry_pg_free(struct belfry_pg_result *result);

/// The SQLSTATE of an error; NULL for none.
const char *belfry_pg_state(struct belfry_pg_result *result);
/// The message of an error; NULL for none.
const char *belfry_pg_words(struct belfry_pg_result *result);

/// The number of rows.
int belfry_pg_rows(struct belfry_pg_result *result);
/// The number of columns.
int belfry_pg_columns(struct belfry_pg_result *result);
/// The name of a column; NULL for none.
const char *belfry_pg_column(struct belfry_pg_result *result, int column);
/// The number of a column's type.
unsigned belfry_pg_type(struct belfry_pg_result *result, int column);
/// The number of a column's table; 0 for an expression.
unsigned belfry_pg_table(struct belfry_pg_result *result, int column);
/// A value as text with its length in bytes; NULL for NULL.
const char *belfry_pg_value(struct belfry_pg_result *result, int row, int column, int *length);
/// The number of rows that were inserted, changed or deleted, as text.
const char *belfry_pg_changes(struct belfry_pg_result *result);

#endif
