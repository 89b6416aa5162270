#ifndef FIRETALLY_CCRYPTO_H
#define FIRETALLY_CCRYPTO_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#endif
