#ifndef BELFRY_LINUX_EVENTS_H
#define BELFRY_LINUX_EVENTS_H

// The kernel's event descriptors and clocks, and what else of glibc its Swift module does not export.

#include <stdint.h>

/// A timer descriptor of CLOCK_REALTIME, or -1 with errno set.
int belfry_timer_create(void);

/// Arms the timer for an absolute instant (seconds since 1970 and nanoseconds), cancelled when the clock is set.
int belfry_timer_arm(int timer, int64_t seconds, int64_t nanoseconds);

/// A timer descriptor of CLOCK_MONOTONIC that becomes readable every so many microseconds, or -1 with errno set.
int belfry_ticker_create(int64_t microseconds);

/// Microseconds on CLOCK_MONOTONIC.
int64_t belfry_monotonic_microseconds(void);

/// Whether something keeps the clock right: 1 if so, 0 if not, -1 with errno set where that cannot be asked.
int belfry_clock_is_synchronized(void);

/// A counter descriptor that another thread can make readable, or -1 with errno set.
int belfry_event_create(void);

/// Makes an event descriptor readable. Safe from any thread.
int belfry_event_signal(int event);

/// Blocks the daemon's signals (TERM, INT, HUP) in the calling thread and those that it starts: each waits until
/// somebody asks for it. Call before any other thread starts.
void belfry_signals_block(void);

/// Lets the daemon's signals do what they do by default in the calling thread again.
void belfry_signals_unblock(void);

/// Waits for the next of the daemon's signals, which are blocked, and returns its number, or -1 with errno set.
int belfry_signals_wait(void);

/// Makes a write to what nobody reads an error instead of the end.
void belfry_ignore_broken_pipes(void);

/// Empties a timer or event descriptor. Returns 1 when the clock was set, 0 otherwise.
int belfry_drain(int descriptor);

/// Gives the system back what was allocated once and is free now, which malloc keeps for itself.
void belfry_return_memory(void);

#endif
