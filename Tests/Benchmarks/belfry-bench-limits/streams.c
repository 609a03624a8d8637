#define _GNU_SOURCE
#include "limits.h"
#include "requests.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most_streams = 1000, patience = 30 };

// Reads until as many streams as there are have brought a text each, and fails where one ends.
static int have_brought(struct pollfd *streams, long count, const char *text) {
  char data[4096];
  long missing = count;
  for (long each = 0; each < count; each++) streams[each].events = POLLIN;
  while (missing) {
    if (poll(streams, (nfds_t)count, patience * 1000) < 1) return 0;
    for (long each = 0; each < count; each++) {
      if (!streams[each].revents) continue;
      ssize_t length = recv(streams[each].fd, data, sizeof data, 0);
      if (length < 1) return 0;
      if (!memmem(data, (size_t)length, text, strlen(text))) continue;
      // The change is told once: what follows belongs to the next.
      streams[each].events = 0;
      missing--;
    }
  }
  return 1;
}

static void pause_for(long milliseconds) {
  nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

int streams_watch(int port, const char *request, long count, const char *change, long changes) {
  static struct pollfd streams[most_streams];
  char text[4096], reply[65536];
  if (count < 1 || count > most_streams) return 64;
  size_t length = file_read(request, text, sizeof text);
  for (long each = 0; each < count; each++) {
    streams[each].fd = connected(port);
    if (send(streams[each].fd, text, length, MSG_NOSIGNAL) != (ssize_t)length) return 75;
  }
  if (!have_brought(streams, count, "id: ")) return 75;
  length = changes ? file_read(change, text, sizeof text) : 0;
  int changing = changes ? connected(port) : -1;
  for (long each = 0; each < changes; each++) {
    // At every distance from the change before.
    pause_for(20 + each * 137 % 1000);
    double start = monotonic_seconds();
    if (send(changing, text, length, MSG_NOSIGNAL) != (ssize_t)length) return 75;
    if (!have_brought(streams, count, "event: change")) return 75;
    printf("%.4f\n", (monotonic_seconds() - start) * 1e3);
    size_t answer = received(changing, reply, sizeof reply - 1);
    reply[answer] = 0;
    if (answer < 12 || strncmp(reply + 9, "20", 2)) {
      fprintf(stderr, "not changed: %s\n", reply);
      return 75;
    }
  }
  printf("watching\n");
  fflush(stdout);
  return pause() < 0 ? 0 : 75;
}
