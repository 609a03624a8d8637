#include "CDesktopBus.h"

#include <CSharedLibrary.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>

// The parts of <systemd/sd-bus.h> that Belfry calls. Its interface is stable (libsystemd.so.0).

typedef struct belfry_bus bus;
typedef struct belfry_bus_message message;
typedef struct {
  const char *name, *message;
  int needs_free;
} bus_error;
typedef union {
  uint8_t bytes[16];
  uint64_t words[2];
} bus_id;

// Each function with its result and parameters.
#define FUNCTIONS(is) \
  is(int, sd_bus_new, (bus **)) \
  is(int, sd_bus_set_address, (bus *, const char *)) \
  is(int, sd_bus_set_bus_client, (bus *, int)) \
  is(int, sd_bus_start, (bus *)) \
  is(int, sd_bus_is_ready, (bus *)) \
  is(bus *, sd_bus_close_unref, (bus *)) \
  is(int, sd_bus_get_fd, (bus *)) \
  is(int, sd_bus_get_events, (bus *)) \
  is(int, sd_bus_get_bus_id, (bus *, bus_id *)) \
  is(int, sd_bus_process, (bus *, message **)) \
  is(int, sd_bus_call, (bus *, message *, uint64_t, bus_error *, message **)) \
  is(void, sd_bus_error_free, (bus_error *)) \
  is(int, sd_bus_message_new_method_call, (bus *, message **, const char *, const char *, const char *, const char *)) \
  is(int, sd_bus_message_append_basic, (message *, char, const void *)) \
  is(int, sd_bus_message_open_container, (message *, char, const char *)) \
  is(int, sd_bus_message_close_container, (message *)) \
  is(int, sd_bus_message_enter_container, (message *, char, const char *)) \
  is(int, sd_bus_message_read_basic, (message *, char, void *)) \
  is(int, sd_bus_message_is_signal, (message *, const char *, const char *)) \
  is(const char *, sd_bus_message_get_sender, (message *)) \
  is(message *, sd_bus_message_unref, (message *))

#define POINTER(result, name, parameters) static result(*name) parameters;
FUNCTIONS(POINTER)

#define ENTRY(result, name, parameters) {#name, &name},
static const struct belfry_function functions[] = {FUNCTIONS(ENTRY)};

const char *belfry_bus_load(void) {
  static struct belfry_library library = BELFRY_SHARED_LIBRARY("libsystemd.so.0", functions);
  return belfry_library_load(&library);
}

static uint64_t monotonic_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

// sd_bus_call would wait for the bus's hello without this limit.
static int wait_until_ready(bus *bus, uint64_t limit) {
  uint64_t end = monotonic_microseconds() + limit;
  while (1) {
    int progress = sd_bus_process(bus, NULL);
    if (progress < 0) return progress;
    int ready = sd_bus_is_ready(bus);
    if (ready != 0) return ready < 0 ? ready : 0;
    if (progress > 0) continue;
    uint64_t now = monotonic_microseconds();
    if (now >= end) return -ETIMEDOUT;
    int events = sd_bus_get_events(bus);
    if (events < 0) return events;
    struct pollfd descriptor = {.fd = sd_bus_get_fd(bus), .events = (short)events};
    if (descriptor.fd < 0) return descriptor.fd;
    if (poll(&descriptor, 1, (int)((end - now) / 1000 + 1)) < 0 && errno != EINTR) return -errno;
  }
}

int belfry_bus_open(const char *address, uint64_t limit, struct belfry_bus **opened) {
  *opened = NULL;
  bus *bus = NULL;
  int code = sd_bus_new(&bus);
  if (code >= 0) code = sd_bus_set_address(bus, address);
  if (code >= 0) code = sd_bus_set_bus_client(bus, 1);
  if (code >= 0) code = sd_bus_start(bus);
  if (code >= 0) code = wait_until_ready(bus, limit);
  if (code >= 0) {
    *opened = bus;
    return 0;
  }
  sd_bus_close_unref(bus);
  return code;
}

void belfry_bus_close(struct belfry_bus *bus) { sd_bus_close_unref(bus); }

int belfry_bus_descriptor(struct belfry_bus *bus) { return sd_bus_get_fd(bus); }

int belfry_bus_identity(struct belfry_bus *bus, char text[33]) {
  bus_id id;
  int code = sd_bus_get_bus_id(bus, &id);
  for (int index = 0; code >= 0 && index < 16; index++) snprintf(text + 2 * index, 3, "%02x", id.bytes[index]);
  return code;
}

int belfry_bus_receive(struct belfry_bus *bus, struct belfry_bus_message **message) {
  int code;
  *message = NULL;
  while (!*message && (code = sd_bus_process(bus, message)) > 0) {}
  return *message ? 1 : code;
}

int belfry_bus_new_call(
    struct belfry_bus *bus, const char *destination, const char *path, const char *interface, const char *member,
    struct belfry_bus_message **message) {
  *message = NULL;
  return sd_bus_message_new_method_call(bus, message, destination, path, interface, member);
}

int belfry_bus_call(
    struct belfry_bus *bus, struct belfry_bus_message *message, uint64_t limit, struct belfry_bus_message **reply,
    char *error, size_t size) {
  bus_error failure = {NULL, NULL, 0};
  *reply = NULL;
  error[0] = 0;
  int code = sd_bus_call(bus, message, limit, &failure, reply);
  if (failure.name) snprintf(error, size, "%s: %s", failure.name, failure.message ? failure.message : "");
  sd_bus_error_free(&failure);
  return code;
}

int belfry_bus_put_text(struct belfry_bus_message *message, const char *text) {
  return sd_bus_message_append_basic(message, 's', text);
}

int belfry_bus_put_number(struct belfry_bus_message *message, uint32_t number) {
  return sd_bus_message_append_basic(message, 'u', &number);
}

int belfry_bus_put_integer(struct belfry_bus_message *message, int32_t number) {
  return sd_bus_message_append_basic(message, 'i', &number);
}

int belfry_bus_put_byte(struct belfry_bus_message *message, uint8_t byte) {
  return sd_bus_message_append_basic(message, 'y', &byte);
}

int belfry_bus_put_flag(struct belfry_bus_message *message, int flag) {
  return sd_bus_message_append_basic(message, 'b', &flag);
}

int belfry_bus_open_container(struct belfry_bus_message *message, char type, const char *contents) {
  return sd_bus_message_open_container(message, type, contents);
}

int belfry_bus_close_container(struct belfry_bus_message *message) { return sd_bus_message_close_container(message); }

int belfry_bus_enter_container(struct belfry_bus_message *message, char type, const char *contents) {
  return sd_bus_message_enter_container(message, type, contents);
}

int belfry_bus_get_text(struct belfry_bus_message *message, const char **text) {
  return sd_bus_message_read_basic(message, 's', text);
}

int belfry_bus_get_number(struct belfry_bus_message *message, uint32_t *number) {
  return sd_bus_message_read_basic(message, 'u', number);
}

int belfry_bus_get_flag(struct belfry_bus_message *message, int *flag) {
  return sd_bus_message_read_basic(message, 'b', flag);
}

int belfry_bus_is_signal(struct belfry_bus_message *message, const char *interface, const char *member) {
  return sd_bus_message_is_signal(message, interface, member) > 0;
}

const char *belfry_bus_sender(struct belfry_bus_message *message) { return sd_bus_message_get_sender(message); }

void belfry_bus_release(struct belfry_bus_message *message) { sd_bus_message_unref(message); }
