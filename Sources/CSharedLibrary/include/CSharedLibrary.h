#ifndef BELFRY_SHARED_LIBRARY_H
#define BELFRY_SHARED_LIBRARY_H

// Shared libraries that are loaded at their first use: no program links them, and a machine may lack them.

#include <pthread.h>
#include <stddef.h>

/// A function of a library.
struct belfry_function {
  const char *name;
  /// Where the pointer to it is written.
  void *pointer;
};

/// A library, made by BELFRY_SHARED_LIBRARY.
struct belfry_library {
  const char *name;
  const struct belfry_function *functions;
  size_t count;
  pthread_mutex_t lock;
  int was_tried;
  char failure[256];
};

/// A library that is not loaded yet, with an array of the functions that are called.
#define BELFRY_SHARED_LIBRARY(name, functions) \
  {(name), (functions), sizeof(functions) / sizeof *(functions), PTHREAD_MUTEX_INITIALIZER, 0, ""}

/// Loads a library once and finds its functions. Returns the reason why it cannot be used, or NULL. Safe from any thread.
/// It stays loaded until the program ends.
const char *belfry_library_load(struct belfry_library *library);

#endif
