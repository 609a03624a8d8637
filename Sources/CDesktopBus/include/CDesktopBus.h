#ifndef BELFRY_DESKTOP_BUS_H
#define BELFRY_DESKTOP_BUS_H

// A D-Bus connection by sd-bus of libsystemd, which is loaded by the first call of belfry_bus_load: no program links it,
// and none of its headers is needed to build. One thread at a time may use a connection and its messages.
//
// Functions return a negative error code of errno(3) on failure. No call waits longer than its limit in microseconds.

#include <stddef.h>
#include <stdint.h>

struct belfry_bus;
struct belfry_bus_message;

/// Loads libsystemd once. Returns the reason why it cannot be used, or NULL. Safe from any thread; the other functions
/// are called only after a success.
const char *belfry_bus_load(void);

/// Connects to the bus at an address of the D-Bus specification, and says hello.
int belfry_bus_open(const char *address, uint64_t limit, struct belfry_bus **bus);

/// Closes a connection.
void belfry_bus_close(struct belfry_bus *bus);

/// The descriptor that becomes readable when a message arrives, and belongs to the connection.
int belfry_bus_descriptor(struct belfry_bus *bus);

/// Copies the identity of the bus, which is another one after each of its starts, and its terminating zero.
int belfry_bus_identity(struct belfry_bus *bus, char text[33]);

/// Takes the next message that has arrived, without waiting. `message` is NULL if there is none.
int belfry_bus_receive(struct belfry_bus *bus, struct belfry_bus_message **message);

/// Makes a method call.
int belfry_bus_new_call(
    struct belfry_bus *bus, const char *destination, const char *path, const char *interface, const char *member,
    struct belfry_bus_message **message);

/// Sends a method call and waits for its reply. A reply that is an error gives its code, and copies its name and text
/// into `error`, which is empty otherwise.
int belfry_bus_call(
    struct belfry_bus *bus, struct belfry_bus_message *message, uint64_t limit, struct belfry_bus_message **reply,
    char *error, size_t size);

/// Appends a value of type s.
int belfry_bus_put_text(struct belfry_bus_message *message, const char *text);

/// Appends a value of type u.
int belfry_bus_put_number(struct belfry_bus_message *message, uint32_t number);

/// Appends a value of type i.
int belfry_bus_put_integer(struct belfry_bus_message *message, int32_t number);

/// Appends a value of type y.
int belfry_bus_put_byte(struct belfry_bus_message *message, uint8_t byte);

/// Appends a value of type b.
int belfry_bus_put_flag(struct belfry_bus_message *message, int flag);

/// Opens a container of type a, e or v, with a signature for its contents.
int belfry_bus_open_container(struct belfry_bus_message *message, char type, const char *contents);

/// Closes the container that was opened last.
int belfry_bus_close_container(struct belfry_bus_message *message);

/// Enters a container of type a, e or v of a received message. Returns 0 if there is none.
int belfry_bus_enter_container(struct belfry_bus_message *message, char type, const char *contents);

/// Reads a value of type s, which lives as long as the message. Returns 0 at the end of a container or the message.
int belfry_bus_get_text(struct belfry_bus_message *message, const char **text);

/// Reads a value of type u. Returns 0 at the end.
int belfry_bus_get_number(struct belfry_bus_message *message, uint32_t *number);

/// Reads a value of type b. Returns 0 at the end.
int belfry_bus_get_flag(struct belfry_bus_message *message, int *flag);

/// True if a message is this signal. A `member` of NULL stands for any.
int belfry_bus_is_signal(struct belfry_bus_message *message, const char *interface, const char *member);

/// The unique name of a message's sender, which lives as long as the message, or NULL.
const char *belfry_bus_sender(struct belfry_bus_message *message);

/// Gives a message up.
void belfry_bus_release(struct belfry_bus_message *message);

#endif
