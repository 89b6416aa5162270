// libcurl's functions, found when the first request needs them.
//
// Linked in the usual way, libcurl's thirty libraries would be loaded by every command, and most
// commands make no request; see docs/decisions/015-late-libraries.md.

#include "CCurl.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo

#define FUNCTIONS(X)                                                                              \
  X(global_init) X(free) X(getdate)                                                               \
  X(easy_init) X(easy_cleanup) X(easy_setopt) X(easy_getinfo) X(easy_strerror)                    \
  X(multi_init) X(multi_cleanup) X(multi_add_handle) X(multi_remove_handle) X(multi_perform)      \
  X(multi_poll) X(multi_wakeup) X(multi_info_read) X(multi_strerror)                              \
  X(slist_append) X(slist_free_all)                                                               \
  X(url) X(url_cleanup) X(url_set) X(url_get) X(url_strerror) X(version)

static struct {
#define MEMBER(name) __typeof__(&curl_##name) name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} libcurl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[512];

static void load(void) {
  // The second is what Debian builds against GnuTLS.
  static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
  void *library = NULL;
  for (size_t index = 0; index < sizeof names / sizeof *names && library == NULL; index++) {
    library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL && index == 0) snprintf(failure, sizeof failure, "%s", dlerror());
  }
  if (library == NULL) return;
  failure[0] = '\0';
#define FIND(name)                                                                                \
  libcurl.name = (__typeof__(&curl_##name))dlsym(library, "curl_" #name);                         \
  if (libcurl.name == NULL) snprintf(failure, sizeof failure, "it has no curl_" #name);
  FUNCTIONS(FIND)
#undef FIND
}

const char *firetally_curl_load(void) {
  pthread_once(&once, load);
  return failure[0] == '\0' ? NULL : failure;
}

// Hidden: libcurl's own libraries must not find these in place of libcurl's.
#define FORWARD(result, name, parameters, arguments)                                              \
  __attribute__((visibility("hidden"))) result curl_##name parameters {                           \
    firetally_curl_load();                                                                        \
    return libcurl.name arguments;                                                                \
  }

FORWARD(CURLcode, global_init, (long flags), (flags))
FORWARD(void, free, (void *text), (text))
FORWARD(time_t, getdate, (const char *text, const time_t *unused), (text, unused))
FORWARD(CURL *, easy_init, (void), ())
FORWARD(void, easy_cleanup, (CURL * easy), (easy))
FORWARD(const char *, easy_strerror, (CURLcode code), (code))
FORWARD(CURLM *, multi_init, (void), ())
FORWARD(CURLMcode, multi_cleanup, (CURLM * multi), (multi))
FORWARD(CURLMcode, multi_add_handle, (CURLM * multi, CURL *easy), (multi, easy))
FORWARD(CURLMcode, multi_remove_handle, (CURLM * multi, CURL *easy), (multi, easy))
FORWARD(CURLMcode, multi_perform, (CURLM * multi, int *running), (multi, running))
FORWARD(
    CURLMcode, multi_poll,
    (CURLM * multi, struct curl_waitfd *others, unsigned int count, int milliseconds, int *ready),
    (multi, others, count, milliseconds, ready))
FORWARD(CURLMcode, multi_wakeup, (CURLM * multi), (multi))
FORWARD(CURLMsg *, multi_info_read, (CURLM * multi, int *left), (multi, left))
FORWARD(const char *, multi_strerror, (CURLMcode code), (code))
FORWARD(
    struct curl_slist *, slist_append, (struct curl_slist * list, const char *text), (list, text))
FORWARD(void, slist_free_all, (struct curl_slist * list), (list))
FORWARD(CURLU *, url, (void), ())
FORWARD(void, url_cleanup, (CURLU * url), (url))
FORWARD(
    CURLUcode, url_set, (CURLU * url, CURLUPart part, const char *text, unsigned int flags),
    (url, part, text, flags))
FORWARD(const char *, url_strerror, (CURLUcode code), (code))
FORWARD(char *, version, (void), ())

CURLUcode firetally_curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
  return libcurl.url_get(url, part, text, flags);
}

CURLcode firetally_curl_set_long(CURL *easy, CURLoption option, long value) {
  return libcurl.easy_setopt(easy, option, value);
}

CURLcode firetally_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return libcurl.easy_setopt(easy, option, value);
}

CURLcode firetally_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return libcurl.easy_setopt(easy, option, value);
}

CURLcode firetally_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return libcurl.easy_setopt(easy, option, value);
}

CURLcode firetally_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return libcurl.easy_setopt(easy, option, value);
}

CURLcode firetally_curl_set_write(CURL *easy, CURLoption option, curl_write_callback value) {
  return libcurl.easy_setopt(easy, option, value);
}

CURLcode firetally_curl_set_read(CURL *easy, curl_read_callback value) {
  return libcurl.easy_setopt(easy, CURLOPT_READFUNCTION, value);
}

CURLcode firetally_curl_set_seek(CURL *easy, curl_seek_callback value) {
  return libcurl.easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}

long firetally_curl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  libcurl.easy_getinfo(easy, info, &value);
  return value;
}

curl_off_t firetally_curl_get_offset(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  libcurl.easy_getinfo(easy, info, &value);
  return value;
}

CURLcode firetally_curl_allow_only_http(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return libcurl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return libcurl.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

CURLcode firetally_curl_leave_resolver(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return libcurl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
  return CURLE_OK;
#endif
}

void firetally_return_memory(int bytes) { mallopt(M_MMAP_THRESHOLD, bytes); }

void firetally_return_free_memory(void) { malloc_trim(0); }
