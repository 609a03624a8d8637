#include "limits.h"
#include "transfers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes contents(const char *path) {
  struct bytes all = {NULL, 0};
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) || !(all.start = malloc((size_t)ftell(file) + 1))) {
    perror(path);
    exit(66);
  }
  long length = ftell(file);
  rewind(file);
  all.count = fread(all.start, 1, (size_t)length, file);
  all.start[all.count] = 0;
  fclose(file);
  return all;
}

static size_t ignored(char *data, size_t size, size_t count, void *unused) {
  (void)data, (void)unused;
  return size * count;
}

// The rest of the mail that a connection has yet to send.
struct upload {
  struct bytes mail;
  size_t place;
};

static size_t next_part(char *buffer, size_t size, size_t count, void *context) {
  struct upload *upload = context;
  size_t part = upload->mail.count - upload->place;
  if (part > size * count) part = size * count;
  memcpy(buffer, upload->mail.start + upload->place, part);
  upload->place += part;
  return part;
}

CURL *next_ended(CURLM *multi, long *number) {
  int left;
  for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
    if (message->msg != CURLMSG_DONE) continue;
    if (message->data.result != CURLE_OK) {
      fprintf(stderr, "%s\n", curl_easy_strerror(message->data.result));
      exit(75);
    }
    CURL *handle = message->easy_handle;
    char *own = NULL;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &own);
    curl_multi_remove_handle(multi, handle);
    *number = atol(own);
    return handle;
  }
  return NULL;
}

// Keeps `connections` transfers running until `count` have succeeded.
static int transfer(CURL **handles, struct upload *uploads, long count, long connections) {
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
  long started = 0, ended = 0;
  for (; started < connections && started < count; started++) curl_multi_add_handle(multi, handles[started]);
  while (ended < count) {
    int running;
    curl_multi_perform(multi, &running);
    long own;
    for (CURL *handle; (handle = next_ended(multi, &own));) {
      ended++;
      if (started < count) {
        if (uploads) uploads[own].place = 0;
        curl_multi_add_handle(multi, handle);
        started++;
      }
    }
    if (ended < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  for (long each = 0; each < connections; each++) curl_easy_cleanup(handles[each]);
  curl_multi_cleanup(multi);
  return 0;
}

static CURL *handle_number(long number, const char *url) {
  static char names[most_connections][8];
  CURL *handle = curl_easy_init();
  snprintf(names[number], sizeof names[number], "%ld", number);
  curl_easy_setopt(handle, CURLOPT_PRIVATE, names[number]);
  curl_easy_setopt(handle, CURLOPT_URL, url);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, ignored);
  curl_easy_setopt(handle, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_NOPROXY, "*");
  return handle;
}

CURL *post_handle(long number, const char *url, struct curl_slist *headers, struct bytes body) {
  CURL *handle = handle_number(number, url);
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.count);
  curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body.start);
  return handle;
}

struct curl_slist *header_list(const char *path) {
  struct curl_slist *list = NULL;
  char *text = contents(path).start;
  for (char *line = strtok(text, "\r\n"); line; line = strtok(NULL, "\r\n")) list = curl_slist_append(list, line);
  return list;
}

int transfers_post(const char *url, const char *headers, const char *body, long count, long connections) {
  if (connections < 1 || connections > most_connections) return 64;
  struct bytes data = contents(body);
  struct curl_slist *list = header_list(headers);
  CURL *handles[most_connections];
  for (long each = 0; each < connections; each++) handles[each] = post_handle(each, url, list, data);
  return transfer(handles, NULL, count, connections);
}

int transfers_mail(const char *url, const char *mail, long count, long connections) {
  if (connections < 1 || connections > most_connections) return 64;
  struct bytes data = contents(mail);
  struct curl_slist *recipients = curl_slist_append(NULL, "<you@example.org>");
  CURL *handles[most_connections];
  struct upload uploads[most_connections];
  for (long each = 0; each < connections; each++) {
    uploads[each] = (struct upload){data, 0};
    handles[each] = handle_number(each, url);
    curl_easy_setopt(handles[each], CURLOPT_MAIL_FROM, "<belfry@example.org>");
    curl_easy_setopt(handles[each], CURLOPT_MAIL_RCPT, recipients);
    curl_easy_setopt(handles[each], CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(handles[each], CURLOPT_READFUNCTION, next_part);
    curl_easy_setopt(handles[each], CURLOPT_READDATA, &uploads[each]);
  }
  return transfer(handles, uploads, count, connections);
}
