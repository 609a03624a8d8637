#include "limits.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <curl/curl.h>
#include <postgresql/libpq-fe.h>
#include <sqlite3.h>

double monotonic_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  if (!strcmp(what, "import") && count == 5) return rows_import(words[2], atol(words[3]), atol(words[4]));
  if (!strcmp(what, "insert") && count == 4) return rows_insert(words[2], atol(words[3]));
  if (!strcmp(what, "answer") && count == 5) return rows_answer(words[2], atol(words[3]), atol(words[4]));
  if (!strcmp(what, "due") && count == 6) return rows_due(words[2], words[3], atol(words[4]), atol(words[5]));
  if (!strcmp(what, "post") && count == 7) return transfers_post(words[2], words[3], words[4], atol(words[5]), atol(words[6]));
  if (!strcmp(what, "deliver") && count == 7)
    return deliveries_post(words[2], words[3], words[4], words[5], atol(words[6]));
  if (!strcmp(what, "share") && count == 9)
    return shared_deliver(words[2], words[3], words[4], words[5], atol(words[6]), atol(words[7]), words[8]);
  if (!strcmp(what, "share-due") && count == 5) return shared_due(words[2], atol(words[3]), atol(words[4]));
  if (!strcmp(what, "mail") && count == 6) return transfers_mail(words[2], words[3], atol(words[4]), atol(words[5]));
  if (!strcmp(what, "press") && count == 7)
    return presses_send(atoi(words[2]), words[3], words[4], atol(words[5]), atof(words[6]));
  if (!strcmp(what, "load") && count == 7)
    return loads_send(atoi(words[2]), words[3], atoi(words[4]), atol(words[5]), atol(words[6]));
  if (!strcmp(what, "watch") && count == 7)
    return streams_watch(atoi(words[2]), words[3], atol(words[4]), words[5], atol(words[6]));
  if (!strcmp(what, "version")) return printf("libsqlite3 %s, libpq %d, %s\n", sqlite3_libversion(), PQlibVersion() / 10000, curl_version()) < 0;
  fprintf(stderr, "usage: belfry-bench-limits import|insert|answer|due|post|deliver|share|share-due|mail|press|load|watch|version …\n");
  return 64;
}
