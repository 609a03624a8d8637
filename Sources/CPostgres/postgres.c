#include "CPostgres.h"

#include <CSharedLibrary.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The parts of <libpq-fe.h> that Belfry calls. Its interface is stable (libpq.so.5).

typedef struct belfry_pg connection;
typedef struct belfry_pg_result result;
typedef struct {
  char *keyword, *envvar, *compiled, *val, *label, *dispchar;
  int dispsize;
} option;

typedef struct notice {
  char *channel;
  int process;
  char *text;
  struct notice *next;
} notice;

enum { CONNECTION_OK = 0, IDLE = 0, COMMAND_OK = 1, TUPLES_OK = 2, FIELD_SQLSTATE = 'C', FIELD_MESSAGE = 'M', VERBOSE = 2 };

// Each function with its result and parameters.
#define FUNCTIONS(is) \
  is(option *, PQconninfoParse, (const char *, char **)) \
  is(void, PQconninfoFree, (option *)) \
  is(void, PQfreemem, (void *)) \
  is(connection *, PQconnectdbParams, (const char *const *, const char *const *, int)) \
  is(void, PQreset, (connection *)) \
  is(void, PQfinish, (connection *)) \
  is(int, PQstatus, (const connection *)) \
  is(int, PQsocket, (const connection *)) \
  is(int, PQserverVersion, (const connection *)) \
  is(int, PQbackendPID, (const connection *)) \
  is(notice *, PQnotifies, (connection *)) \
  is(char *, PQerrorMessage, (const connection *)) \
  is(int, PQsetErrorVerbosity, (connection *, int)) \
  is(void *, PQsetNoticeProcessor, (connection *, void (*)(void *, const char *), void *)) \
  is(int, PQsetnonblocking, (connection *, int)) \
  is(int, PQsendPrepare, (connection *, const char *, const char *, int, const unsigned *)) \
  is(int, PQsendQueryPrepared, \
     (connection *, const char *, int, const char *const *, const int *, const int *, int)) \
  is(int, PQsendQueryParams, \
     (connection *, const char *, int, const unsigned *, const char *const *, const int *, const int *, int)) \
  is(int, PQsendQuery, (connection *, const char *)) \
  is(int, PQtransactionStatus, (const connection *)) \
  is(int, PQflush, (connection *)) \
  is(int, PQconsumeInput, (connection *)) \
  is(int, PQisBusy, (connection *)) \
  is(result *, PQgetResult, (connection *)) \
  is(int, PQresultStatus, (const result *)) \
  is(char *, PQresultErrorField, (const result *, int)) \
  is(void, PQclear, (result *)) \
  is(int, PQntuples, (const result *)) \
  is(int, PQnfields, (const result *)) \
  is(char *, PQfname, (const result *, int)) \
  is(unsigned, PQftype, (const result *, int)) \
  is(unsigned, PQftable, (const result *, int)) \
  is(char *, PQgetvalue, (const result *, int, int)) \
  is(int, PQgetlength, (const result *, int, int)) \
  is(int, PQgetisnull, (const result *, int, int)) \
  is(char *, PQcmdTuples, (result *))

#define POINTER(result, name, parameters) static result(*name) parameters;
FUNCTIONS(POINTER)

#define ENTRY(result, name, parameters) {#name, &name},
static const struct belfry_function functions[] = {FUNCTIONS(ENTRY)};

const char *belfry_pg_load(void) {
  static struct belfry_library library = BELFRY_SHARED_LIBRARY("libpq.so.5", functions);
  return belfry_library_load(&library);
}

static int count_commas(const char *text) {
  int count = 0;
  for (; *text; text++) count += *text == ',';
  return count;
}

int belfry_pg_hosts(const char *url) {
  char *message = NULL;
  option *options = PQconninfoParse(url, &message);
  PQfreemem(message);
  int count = options != NULL;
  for (option *next = options; next && next->keyword; next++) {
    int names_hosts = !strcmp(next->keyword, "host") || !strcmp(next->keyword, "hostaddr");
    if (!names_hosts || !next->val) continue;
    int named = count_commas(next->val) + 1;
    if (named > count) count = named;
  }
  PQconninfoFree(options);
  return count;
}

// Notices are not errors, and standard error belongs to the log.
static void ignore(void *nothing, const char *message) {}

// A server's refusal begins with its severity, in its language, and two spaces: "FATAL:  …". libpq's own words do not.
static int is_refusal(const char *message) { return strstr(message, ":  ") != NULL; }

// The time limit of a connection string if it is shorter than `most`.
static int shorter_limit(const char *url, int most) {
  option *options = PQconninfoParse(url, NULL);
  int seconds = most;
  for (option *next = options; next && next->keyword; next++) {
    if (strcmp(next->keyword, "connect_timeout") || !next->val) continue;
    int own = atoi(next->val);
    if (own > 0 && own < most) seconds = own;
  }
  PQconninfoFree(options);
  return seconds;
}

struct belfry_pg *belfry_pg_open(const char *url, int seconds) {
  char limit[12];
  snprintf(limit, sizeof limit, "%d", shorter_limit(url, seconds));
  // The connection string overrides only the values of the names before its own name, `dbname`.
  const char *names[] = {
      "keepalives_idle", "tcp_user_timeout", "application_name", "dbname", "client_encoding", "connect_timeout", NULL};
  const char *values[] = {"10", "20000", "belfry", url, "UTF8", limit, NULL};
  connection *opened = PQconnectdbParams(names, values, 1);
  if (!opened) return NULL;
  // Messages can name the SQLSTATE only from now on, so a server that refused is asked again. A server that is gone has
  // no SQLSTATE, and is not waited for again.
  if (PQstatus(opened) != CONNECTION_OK && is_refusal(PQerrorMessage(opened))) {
    PQsetErrorVerbosity(opened, VERBOSE);
    PQreset(opened);
  }
  PQsetNoticeProcessor(opened, ignore, NULL);
  if (PQstatus(opened) == CONNECTION_OK) PQsetnonblocking(opened, 1);
  return opened;
}

void belfry_pg_close(struct belfry_pg *connection) { PQfinish(connection); }

int belfry_pg_is_connected(struct belfry_pg *connection) { return PQstatus(connection) == CONNECTION_OK; }

const char *belfry_pg_message(struct belfry_pg *connection) { return PQerrorMessage(connection); }

int belfry_pg_server_version(struct belfry_pg *connection) { return PQserverVersion(connection); }

static int64_t monotonic_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Sends what is left to send, and waits until the next result is whole.
static enum belfry_pg_end wait_for_result(connection *connection, int64_t end) {
  while (1) {
    int unsent = PQflush(connection);
    if (unsent < 0) return BELFRY_PG_LOST;
    if (!unsent && !PQisBusy(connection)) return BELFRY_PG_DONE;
    int64_t left = end - monotonic_milliseconds();
    if (left <= 0) return BELFRY_PG_SILENT;
    struct pollfd descriptor = {.fd = PQsocket(connection), .events = (short)(POLLIN | (unsent ? POLLOUT : 0))};
    if (descriptor.fd < 0) return BELFRY_PG_LOST;
    int count = poll(&descriptor, 1, left > INT32_MAX ? INT32_MAX : (int)left);
    if (count < 0 && errno != EINTR) return BELFRY_PG_LOST;
    if (count > 0 && descriptor.revents & ~POLLOUT && !PQconsumeInput(connection)) return BELFRY_PG_LOST;
  }
}

// The last result is kept, or the first error.
static enum belfry_pg_end gather(connection *connection, int is_sent, int milliseconds, result **kept) {
  *kept = NULL;
  if (!is_sent) return BELFRY_PG_LOST;
  int64_t end = monotonic_milliseconds() + milliseconds;
  enum belfry_pg_end found = BELFRY_PG_DONE;
  while (1) {
    enum belfry_pg_end waited = wait_for_result(connection, end);
    if (waited != BELFRY_PG_DONE) return waited;
    result *next = PQgetResult(connection);
    if (!next) break;
    if (found == BELFRY_PG_REFUSED) {
      PQclear(next);
      continue;
    }
    PQclear(*kept);
    *kept = next;
    int status = PQresultStatus(next);
    if (status != COMMAND_OK && status != TUPLES_OK) found = BELFRY_PG_REFUSED;
  }
  // An error of libpq's own has no SQLSTATE.
  if (PQstatus(connection) != CONNECTION_OK && (!*kept || !PQresultErrorField(*kept, FIELD_SQLSTATE))) {
    return BELFRY_PG_LOST;
  }
  return found;
}

enum belfry_pg_end belfry_pg_prepare(
    struct belfry_pg *connection, const char *name, const char *sql, int milliseconds,
    struct belfry_pg_result **result) {
  return gather(connection, PQsendPrepare(connection, name, sql, 0, NULL), milliseconds, result);
}

enum belfry_pg_end belfry_pg_run(
    struct belfry_pg *connection, const char *name, int count, const char *const *values, int milliseconds,
    struct belfry_pg_result **result) {
  return gather(
      connection, PQsendQueryPrepared(connection, name, count, values, NULL, NULL, 0), milliseconds, result);
}

enum belfry_pg_end belfry_pg_query(
    struct belfry_pg *connection, const char *sql, int count, const char *const *values, int milliseconds,
    struct belfry_pg_result **result) {
  return gather(
      connection, PQsendQueryParams(connection, sql, count, NULL, values, NULL, NULL, 0), milliseconds, result);
}

enum belfry_pg_end belfry_pg_script(
    struct belfry_pg *connection, const char *sql, int milliseconds, struct belfry_pg_result **result) {
  return gather(connection, PQsendQuery(connection, sql), milliseconds, result);
}

int belfry_pg_is_idle(struct belfry_pg *connection) { return PQtransactionStatus(connection) == IDLE; }

int belfry_pg_process(struct belfry_pg *connection) { return PQbackendPID(connection); }

int belfry_pg_socket(struct belfry_pg *connection) { return PQsocket(connection); }

int belfry_pg_notices(struct belfry_pg *connection) {
  if (!PQconsumeInput(connection)) return -1;
  int count = 0;
  notice *next;
  while ((next = PQnotifies(connection))) {
    count += next->process != PQbackendPID(connection);
    PQfreemem(next);
  }
  return PQstatus(connection) == CONNECTION_OK ? count : -1;
}

void belfry_pg_free(struct belfry_pg_result *result) { PQclear(result); }

const char *belfry_pg_state(struct belfry_pg_result *result) { return PQresultErrorField(result, FIELD_SQLSTATE); }

const char *belfry_pg_words(struct belfry_pg_result *result) { return PQresultErrorField(result, FIELD_MESSAGE); }

int belfry_pg_rows(struct belfry_pg_result *result) { return PQntuples(result); }

int belfry_pg_columns(struct belfry_pg_result *result) { return PQnfields(result); }

const char *belfry_pg_column(struct belfry_pg_result *result, int column) { return PQfname(result, column); }

unsigned belfry_pg_type(struct belfry_pg_result *result, int column) { return PQftype(result, column); }

unsigned belfry_pg_table(struct belfry_pg_result *result, int column) { return PQftable(result, column); }

const char *belfry_pg_value(struct belfry_pg_result *result, int row, int column, int *length) {
  if (PQgetisnull(result, row, column)) return NULL;
  *length = PQgetlength(result, row, column);
  return PQgetvalue(result, row, column);
}

const char *belfry_pg_changes(struct belfry_pg_result *result) { return PQcmdTuples(result); }
