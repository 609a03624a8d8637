#define _GNU_SOURCE
#include "CLinuxEvents.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

int belfry_timer_create(void) { return timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC); }

int belfry_timer_arm(int timer, int64_t seconds, int64_t nanoseconds) {
  struct itimerspec when = {{0, 0}, {(time_t)seconds, (long)nanoseconds}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL);
}

int belfry_ticker_create(int64_t microseconds) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  struct timespec period = {(time_t)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000};
  struct itimerspec when = {period, period};
  if (timer >= 0 && timerfd_settime(timer, 0, &when, NULL) != 0) {
    close(timer);
    return -1;
  }
  return timer;
}

int64_t belfry_monotonic_microseconds(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

uint64_t belfry_birth_nanoseconds(const char *path) {
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_BTIME, &status) != 0 || !(status.stx_mask & STATX_BTIME)) return 0;
  return (uint64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}

int belfry_clock_is_synchronized(void) {
  struct timex state = {.modes = 0};
  if (adjtimex(&state) < 0) return -1;
  return (state.status & STA_UNSYNC) == 0;
}

int belfry_event_create(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int belfry_event_signal(int event) { return eventfd_write(event, 1); }

int belfry_descriptors_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int belfry_descriptors_add(int set, int descriptor) {
  struct epoll_event readable = {.events = EPOLLIN, .data = {.fd = descriptor}};
  return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &readable);
}

int belfry_folder_watch_create(const char *folder) {
  int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  // A program that commits closes the file sooner or later, at the latest when it is killed.
  uint32_t events = IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR;
  if (watch >= 0 && inotify_add_watch(watch, folder, events) < 0) {
    int code = errno;
    close(watch);
    errno = code;
    return -1;
  }
  return watch;
}

int belfry_folder_watch_add(int watch, const char *folder) {
  uint32_t events = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ONLYDIR;
  return inotify_add_watch(watch, folder, events) < 0 ? -1 : 0;
}

int belfry_folder_watch_drain(int watch, const char *prefix) {
  char buffer[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
  size_t length = strlen(prefix);
  int found = 0, left = 0;
  // Only what is there now, so that a program that writes in the same folder without end cannot hold up the caller.
  ioctl(watch, FIONREAD, &left);
  while (left > 0) {
    ssize_t count = read(watch, buffer, sizeof buffer);
    if (count <= 0) break;
    left -= (int)count;
    const struct inotify_event *event;
    for (char *next = buffer; next < buffer + count; next += sizeof *event + event->len) {
      event = (const struct inotify_event *)next;
      if ((event->mask & IN_Q_OVERFLOW) || event->wd != 1 ||
          (event->len > 0 && strncmp(event->name, prefix, length) == 0))
        found = 1;
    }
  }
  return found;
}

int belfry_exchange_files(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

int belfry_rename_to_free_name(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

void belfry_sync_files(int descriptor) { (void)syncfs(descriptor); }

static sigset_t daemon_signals(void) {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGTERM);
  sigaddset(&mask, SIGINT);
  sigaddset(&mask, SIGHUP);
  return mask;
}

void belfry_signals_block(void) {
  sigset_t mask = daemon_signals();
  pthread_sigmask(SIG_BLOCK, &mask, NULL);
}

void belfry_signals_unblock(void) {
  sigset_t mask = daemon_signals();
  pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
}

// Blocks belfryd's signals before its main begins, so that one which arrives while its libraries are initialised waits
// as well. Every other program that links this file keeps the default action.
static void block_signals_of_belfryd(int count, char **arguments, char **environment) {
  (void)environment;
  const char *path = count > 0 ? arguments[0] : "";
  const char *slash = strrchr(path, '/');
  if (strcmp(slash ? slash + 1 : path, "belfryd") == 0) belfry_signals_block();
}

__attribute__((section(".preinit_array"), used)) static void (*before_all_else)(int, char **, char **) =
    block_signals_of_belfryd;

int belfry_signals_wait(void) {
  sigset_t mask = daemon_signals();
  return sigwaitinfo(&mask, NULL);
}

int belfry_program_start(const char *program, const char *argument, int *child) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (int descriptor = 0; descriptor < 3; descriptor++)
    posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_addclosefrom_np(&files, 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char *words[] = {(char *)program, (char *)argument, NULL};
  int code = posix_spawnp(child, program, &files, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return code;
}

void belfry_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

int belfry_drain(int descriptor) {
  uint64_t value;
  ssize_t count = read(descriptor, &value, sizeof value);
  return (count < 0 && errno == ECANCELED) ? 1 : 0;
}

char **belfry_environment(void) { return environ; }

// Code and constants, which the system can read again from their files.
static int unmap_unwritable(struct dl_phdr_info *module, size_t size, void *context) {
  (void)size, (void)context;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int index = 0; index < module->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &module->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
    uintptr_t start = (module->dlpi_addr + segment->p_vaddr) / page * page;
    madvise((void *)start, module->dlpi_addr + segment->p_vaddr + segment->p_memsz - start, MADV_DONTNEED);
  }
  return 0;
}

void belfry_return_memory(void) {
  malloc_trim(0);
  // A start runs most of the code once. What runs again is mapped again.
  dl_iterate_phdr(unmap_unwritable, NULL);
}
