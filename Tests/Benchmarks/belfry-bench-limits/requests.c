#define _GNU_SOURCE
#include "requests.h"
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

enum { most_connections = 256, patience = 30, longest_request = 4096 };

struct connection {
  int descriptor, is_busy;
  // When the request was due, whether or not it could be sent then.
  double due;
  // The bytes of the reply that came, and those of the whole one, which its head tells; 0 where it does not.
  size_t length, whole;
  char reply[262144];
};

int connected(int port) {
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

size_t received(int descriptor, char *data, size_t room) {
  struct pollfd ready = {.fd = descriptor, .events = POLLIN};
  ssize_t count = poll(&ready, 1, patience * 1000) == 1 ? recv(descriptor, data, room, 0) : 0;
  return count > 0 ? (size_t)count : 0;
}

size_t file_read(const char *path, char *data, size_t room) {
  FILE *file = fopen(path, "r");
  size_t length = file ? fread(data, 1, room, file) : 0;
  if (!length || length == room) {
    fprintf(stderr, "%s is no file of 1 to %zu bytes\n", path, room - 1);
    exit(66);
  }
  fclose(file);
  return length;
}

static int is_sent(struct connection *connection, struct request_source *source, double due) {
  char request[longest_request];
  size_t length = source->next(source, request, sizeof request);
  if (!length) return 0;
  if (send(connection->descriptor, request, length, MSG_NOSIGNAL) != (ssize_t)length) {
    perror("cannot send");
    exit(75);
  }
  connection->is_busy = 1;
  connection->due = due;
  connection->length = connection->whole = 0;
  return 1;
}

// The bytes of a whole reply as its head tells them; 0 where the head is not there yet, and where it does not tell.
static size_t whole_length(char *reply) {
  char *end = strstr(reply, "\r\n\r\n");
  if (!end) return 0;
  // The body is not searched for fields.
  *end = 0;
  char *field = strcasestr(reply, "\r\nContent-Length:");
  size_t body = field && atoi(reply + 9) != 304 ? strtoul(field + 17, NULL, 10) : 0;
  int is_chunked = strcasestr(reply, "\r\nTransfer-Encoding:") != NULL;
  *end = '\r';
  return is_chunked ? 0 : (size_t)(end + 4 - reply) + body;
}

// Whether the reply is there as a whole.
static int is_answered(struct connection *connection, int status) {
  char *reply = connection->reply;
  size_t room = sizeof connection->reply - 1 - connection->length;
  ssize_t count = recv(connection->descriptor, reply + connection->length, room, MSG_DONTWAIT);
  if (count > 0) connection->length += (size_t)count;
  reply[connection->length] = 0;
  size_t length = connection->length;
  if (!connection->whole) connection->whole = whole_length(reply);
  int is_last = length > 6 && !memcmp(reply + length - 7, "\r\n0\r\n\r\n", 7);
  int is_whole = connection->whole ? length >= connection->whole : is_last;
  if (!is_whole && count > 0 && room > (size_t)count) return 0;
  if (!is_whole || atoi(reply + 9) != status) {
    fprintf(stderr, "not answered: %.2000s\n", reply);
    exit(75);
  }
  connection->is_busy = 0;
  return 1;
}

static struct timespec waiting(double seconds) {
  if (seconds < 0) seconds = 0;
  return (struct timespec){.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
}

int requests_send(int port, struct request_source *source, int status, long count, double rate) {
  static struct connection connections[most_connections];
  struct pollfd ready[most_connections];
  if (count < 1 || count > most_connections) return 64;
  for (long each = 0; each < count; each++) {
    connections[each].descriptor = connected(port);
    ready[each] = (struct pollfd){.fd = connections[each].descriptor, .events = POLLIN};
  }
  long begun = 0, busy = 0;
  int has_next = 1;
  double start = monotonic_seconds(), now = start;
  while (has_next || busy) {
    double due = rate > 0 ? start + (double)begun / rate : now;
    for (long each = 0; each < count && has_next && due <= now; each++) {
      if (connections[each].is_busy) continue;
      has_next = is_sent(&connections[each], source, due);
      if (!has_next) break;
      begun++, busy++;
      due = rate > 0 ? start + (double)begun / rate : now;
    }
    if (!has_next && !busy) break;
    int is_next = has_next && busy < count;
    struct timespec time = waiting(is_next ? due - now : patience);
    if (!ppoll(ready, (nfds_t)count, &time, NULL) && !is_next) {
      fprintf(stderr, "no reply came within %d seconds\n", patience);
      return 75;
    }
    now = monotonic_seconds();
    for (long each = 0; each < count; each++) {
      if (!(ready[each].revents && connections[each].is_busy && is_answered(&connections[each], status))) continue;
      busy--;
      printf("%.4f\n", (now - connections[each].due) * 1e3);
    }
  }
  return printf("%.6f\n", now - start) < 0;
}
