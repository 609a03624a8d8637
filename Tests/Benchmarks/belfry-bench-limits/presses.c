#include "limits.h"
#include "requests.h"
#include <stdio.h>

struct presses {
  struct request_source source;
  FILE *tokens;
  int port;
  const char *accept;
};

// Sent as the button of a page sends it.
static size_t next_press(struct request_source *source, char *request, size_t room) {
  struct presses *presses = (struct presses *)source;
  char token[512];
  if (fscanf(presses->tokens, "%511s", token) != 1) return 0;
  int length = snprintf(request, room,
                        "POST /a/%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: %s\r\n"
                        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 8\r\n\r\nlatest=0",
                        token, presses->port, presses->accept);
  return length < (int)room ? (size_t)length : 0;
}

int presses_send(int port, const char *tokens, const char *accept, long connections, double rate) {
  struct presses presses = {{next_press}, fopen(tokens, "r"), port, accept};
  if (!presses.tokens) return 66;
  return requests_send(port, &presses.source, 200, connections, rate);
}
