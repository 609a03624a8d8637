#define _GNU_SOURCE
#include "limits.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most_connections = 256, patience = 30 };

// A kept-alive connection with at most one request on its way.
struct connection {
  int descriptor, is_busy;
  // When the request was due, whether or not it could be sent then.
  double due;
  size_t length;
  char reply[32768];
};

static int connected(int port) {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address)) {
    perror("cannot connect");
    exit(75);
  }
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return descriptor;
}

// Sent as the button of a page sends it.
static void press(struct connection *connection, const char *token, int port, const char *accept) {
  char request[1024];
  int length = snprintf(request, sizeof request,
                        "POST /a/%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: %s\r\n"
                        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 8\r\n\r\nlatest=0",
                        token, port, accept);
  if (length >= (int)sizeof request || send(connection->descriptor, request, (size_t)length, MSG_NOSIGNAL) != length) {
    perror("cannot send");
    exit(75);
  }
  connection->is_busy = 1;
  connection->length = 0;
}

// Whether the reply is there as a whole; one that is not 200 ends the program.
static int is_answered(struct connection *connection) {
  size_t room = sizeof connection->reply - 1 - connection->length;
  ssize_t count = recv(connection->descriptor, connection->reply + connection->length, room, MSG_DONTWAIT);
  if (count > 0) connection->length += (size_t)count;
  connection->reply[connection->length] = 0;
  char *end = strstr(connection->reply, "\r\n\r\n"), *field = strcasestr(connection->reply, "\r\nContent-Length:");
  int is_whole = end && field && field < end &&
                 connection->length >= (size_t)(end + 4 - connection->reply) + strtoul(field + 17, NULL, 10);
  if (!is_whole && count > 0 && room > (size_t)count) return 0;
  if (!is_whole || strncmp(connection->reply, "HTTP/1.1 200 ", 13)) {
    fprintf(stderr, "not answered: %s\n", connection->reply);
    exit(75);
  }
  connection->is_busy = 0;
  return 1;
}

static struct timespec waiting(double seconds) {
  if (seconds < 0) seconds = 0;
  return (struct timespec){.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
}

int presses_send(int port, const char *tokens, const char *accept, long count, double rate) {
  static struct connection connections[most_connections];
  struct pollfd ready[most_connections];
  FILE *file = fopen(tokens, "r");
  if (!file || count < 1 || count > most_connections) return 66;
  for (long each = 0; each < count; each++) {
    connections[each].descriptor = connected(port);
    ready[each] = (struct pollfd){.fd = connections[each].descriptor, .events = POLLIN};
  }
  char token[512];
  int has_token = fscanf(file, "%511s", token) == 1;
  long begun = 0, busy = 0;
  double start = monotonic_seconds(), now = start;
  while (has_token || busy) {
    double due = rate > 0 ? start + (double)begun / rate : now;
    for (long each = 0; each < count && has_token && due <= now; each++) {
      if (connections[each].is_busy) continue;
      press(&connections[each], token, port, accept);
      connections[each].due = due;
      begun++, busy++;
      due = rate > 0 ? start + (double)begun / rate : now;
      has_token = fscanf(file, "%511s", token) == 1;
    }
    int is_next = has_token && busy < count;
    struct timespec time = waiting(is_next ? due - now : patience);
    if (!ppoll(ready, (nfds_t)count, &time, NULL) && !is_next) {
      fprintf(stderr, "no reply came within %d seconds\n", patience);
      return 75;
    }
    now = monotonic_seconds();
    for (long each = 0; each < count; each++) {
      if (!(ready[each].revents && connections[each].is_busy && is_answered(&connections[each]))) continue;
      busy--;
      printf("%.4f\n", (now - connections[each].due) * 1e3);
    }
  }
  return printf("%.6f\n", now - start) < 0;
}
