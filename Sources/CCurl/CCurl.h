#ifndef FIRETALLY_CCURL_H
#define FIRETALLY_CCURL_H

#include <curl/curl.h>

#endif
