#ifndef FIRETALLY_CCRYPTO_H
#define FIRETALLY_CCRYPTO_H

#include <stddef.h>

// The two things that Firetally asks of OpenSSL's libcrypto 3, which is loaded by the first of them;
// see docs/decisions/008-openssl.md.

// Loads libcrypto when that has not been done; NULL, or why it cannot be loaded.
const char *firetally_crypto_load(void);

// SHA-256 of bytes that come in pieces. Every function needs a loaded libcrypto; NULL, or false, when
// memory has run out.
typedef struct firetally_sha256 firetally_sha256;
firetally_sha256 *firetally_sha256_new(void);
_Bool firetally_sha256_update(firetally_sha256 *digest, const void *bytes, size_t count);
// Writes 32 bytes; the digest takes no more pieces after it.
_Bool firetally_sha256_finish(firetally_sha256 *digest, unsigned char *result);
void firetally_sha256_free(firetally_sha256 *digest);

// An RSA key of 2048 bits or more, from PKCS #8 or PKCS #1 in PEM form without a password; NULL when
// the text is anything else.
typedef struct firetally_rsa_key firetally_rsa_key;
firetally_rsa_key *firetally_rsa_key_new(const char *pem, size_t count);
// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2), the RS256 of JSON Web Tokens. `room` has how many
// bytes fit into `signature`, and then how many were written.
_Bool firetally_rsa_sign(
    firetally_rsa_key *key, const void *bytes, size_t count, unsigned char *signature, size_t *room);
void firetally_rsa_key_free(firetally_rsa_key *key);

#endif
