#include "CSharedLibrary.h"

#include <dlfcn.h>
#include <stdio.h>

static int find_all(const struct belfry_library *library, void *handle) {
  for (size_t index = 0; index < library->count; index++) {
    void **pointer = library->functions[index].pointer;
    *pointer = dlsym(handle, library->functions[index].name);
    if (!*pointer) return 0;
  }
  return 1;
}

static void load(struct belfry_library *library) {
  void *handle = dlopen(library->name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle && find_all(library, handle)) return;
  const char *reason = dlerror();
  snprintf(library->failure, sizeof library->failure, "%s", reason ? reason : "a library cannot be loaded");
}

const char *belfry_library_load(struct belfry_library *library) {
  pthread_mutex_lock(&library->lock);
  if (!library->was_tried) load(library);
  library->was_tried = 1;
  pthread_mutex_unlock(&library->lock);
  return library->failure[0] ? library->failure : NULL;
}
