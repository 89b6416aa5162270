#ifndef FIRETALLY_CZLIB_H
#define FIRETALLY_CZLIB_H

#include <zlib.h>

#endif
