#ifndef FIRETALLY_CCURL_H
#define FIRETALLY_CCURL_H

// The macros that check argument types stand in the way of functions of the same names.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Loads libcurl when that has not been done; NULL, or why it cannot be loaded.
//
// libcurl's own functions load it as well, and may not be called when that is impossible. The
// functions below work on a handle that one of those has made.
const char *firetally_curl_load(void);

// libcurl's setters and getters are variadic, which Swift does not import: one typed function for
// each kind of argument.

CURLcode firetally_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode firetally_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode firetally_curl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode firetally_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
CURLcode firetally_curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode firetally_curl_set_write(CURL *easy, CURLoption option, curl_write_callback value);
CURLcode firetally_curl_set_read(CURL *easy, curl_read_callback value);
CURLcode firetally_curl_set_seek(CURL *easy, curl_seek_callback value);
long firetally_curl_get_long(CURL *easy, CURLINFO info);
curl_off_t firetally_curl_get_offset(CURL *easy, CURLINFO info);

// What libcurl takes here became a pointer to constant data in version 8.
CURLUcode firetally_curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);

// The options below changed their names or appeared between the libcurl versions in use.

CURLcode firetally_curl_allow_only_http(CURL *easy);

// Lets a transfer end at once while a name is being resolved, without waiting for the resolver.
CURLcode firetally_curl_leave_resolver(CURL *easy);

// Has blocks of so many bytes and more given back to the system as soon as they are freed.
void firetally_return_memory(int bytes) __attribute__((swift_name("firetally_return_memory(from:)")));

// Gives the pages that hold nothing but free blocks back to the system.
void firetally_return_free_memory(void);

#endif
