#include "limits.h"
#include "requests.h"
#include <string.h>

struct load {
  struct request_source source;
  char request[4096];
  size_t length;
  long remaining;
};

static size_t next_load(struct request_source *source, char *request, size_t room) {
  struct load *load = (struct load *)source;
  if (!load->remaining || load->length > room) return 0;
  load->remaining--;
  memcpy(request, load->request, load->length);
  return load->length;
}

int loads_send(int port, const char *request, int status, long connections, long count) {
  struct load load = {.source = {next_load}, .remaining = count};
  load.length = file_read(request, load.request, sizeof load.request);
  return requests_send(port, &load.source, status, connections, 0);
}
