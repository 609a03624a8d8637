#ifndef BELFRY_LINUX_EVENTS_H
#define BELFRY_LINUX_EVENTS_H

// The kernel's event descriptors and clocks, and other functions of glibc that its Swift module does not export.

#include <stdint.h>

/// A timer descriptor of CLOCK_REALTIME, or -1 with errno set.
int belfry_timer_create(void);

/// Arms the timer for an absolute instant (seconds since 1970 and nanoseconds), cancelled when the clock is set.
int belfry_timer_arm(int timer, int64_t seconds, int64_t nanoseconds);

/// A timer descriptor of CLOCK_MONOTONIC that becomes readable at this interval, or -1 with errno set.
int belfry_ticker_create(int64_t microseconds);

/// Microseconds on CLOCK_MONOTONIC.
int64_t belfry_monotonic_microseconds(void);

/// Returns 1 if the system clock is synchronised, 0 if not, and -1 with errno set if the kernel does not say.
int belfry_clock_is_synchronized(void);

/// An event descriptor that other threads can make readable, or -1 with errno set.
int belfry_event_create(void);

/// Makes an event descriptor readable. Safe from any thread.
int belfry_event_signal(int event);

/// A descriptor that is readable while one of a set of descriptors is, or -1 with errno set.
int belfry_descriptors_create(void);

/// Adds a descriptor to a set, which it leaves when it is closed. Returns -1 with errno set on failure.
int belfry_descriptors_add(int set, int descriptor);

/// A descriptor that becomes readable when a file of a folder is written or put in place, or -1 with errno set.
int belfry_folder_watch_create(const char *folder);

/// Adds another folder to a watch. In it, every file counts that appears, changes or vanishes. Adding it again changes
/// nothing. Returns -1 with errno set on failure.
int belfry_folder_watch_add(int watch, const char *folder);

/// Reads the events of a folder's watch that are there now. Returns 1 if a file whose name begins with `prefix` changed in the
/// first folder, if anything changed in another folder, or if events were lost; otherwise 0.
int belfry_folder_watch_drain(int watch, const char *prefix);

/// Blocks the daemon's signals (TERM, INT, HUP) in the calling thread and the threads that it starts; they stay pending
/// until belfry_signals_wait. Call before any other thread starts.
void belfry_signals_block(void);

/// Unblocks the daemon's signals in the calling thread.
void belfry_signals_unblock(void);

/// Waits for the next of the blocked signals and returns its number, or -1 with errno set.
int belfry_signals_wait(void);

/// Starts a program found by PATH with one argument: in a session of its own, without a shell, without this program's
/// files and blocked signals, and with /dev/null as its standard input and outputs. Returns the errno of a failure, or
/// 0 with the process to wait for in `child`.
int belfry_program_start(const char *program, const char *argument, int *child);

/// Ignores SIGPIPE, so that a write to a closed pipe fails with EPIPE.
void belfry_ignore_broken_pipes(void);

/// Returns the birth time of the file at a path, following links, in nanoseconds since 1970; 0 if its file system does
/// not have it.
uint64_t belfry_birth_nanoseconds(const char *path);

/// Exchanges two files (RENAME_EXCHANGE). Returns -1 with errno set on failure.
int belfry_exchange_files(const char *one, const char *other);

/// Renames a file to a name that must be free (RENAME_NOREPLACE). Returns -1 with errno set on failure.
int belfry_rename_to_free_name(const char *from, const char *to);

/// Writes everything of a descriptor's file system to the disk (syncfs).
void belfry_sync_files(int descriptor);

/// Empties a timer or event descriptor. Returns 1 if the clock was set, else 0.
int belfry_drain(int descriptor);

/// The environment, whose last entry is NULL.
char **belfry_environment(void);

/// Returns to the system free memory that malloc keeps, and the pages of the program that are not in use now.
void belfry_return_memory(void);

#endif
