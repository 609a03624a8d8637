#include "server.h"
#include <stdio.h>
#include <stdlib.h>

static void expect(PGconn *server, PGresult *result) {
  ExecStatusType status = PQresultStatus(result);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return;
  fprintf(stderr, "%s", PQerrorMessage(server));
  exit(74);
}

PGconn *connected_server(const char *url) {
  PGconn *server = PQconnectdb(url);
  if (PQstatus(server) != CONNECTION_OK) {
    fprintf(stderr, "%s", PQerrorMessage(server));
    exit(75);
  }
  order(server, "SET search_path TO belfry");
  order(server, "SET synchronous_commit TO on");
  return server;
}

void order(PGconn *server, const char *sql) {
  PGresult *result = PQexec(server, sql);
  expect(server, result);
  PQclear(result);
}

void prepare(PGconn *server, const char *name, const char *sql) {
  PGresult *result = PQprepare(server, name, sql, 0, NULL);
  expect(server, result);
  PQclear(result);
}

PGresult *rows(PGconn *server, const char *name, int count, const char *const *values) {
  PGresult *result = PQexecPrepared(server, name, count, values, NULL, NULL, 0);
  expect(server, result);
  return result;
}

void run(PGconn *server, const char *name, int count, const char *const *values) {
  PQclear(rows(server, name, count, values));
}

int64_t number_at(PGresult *rows, int row, int column) { return atoll(PQgetvalue(rows, row, column)); }
