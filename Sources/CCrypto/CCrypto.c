// libcrypto's functions, found when the first digest or signature needs them; the way of
// docs/decisions/015-late-libraries.md.

#include "CCrypto.h"

#include <dlfcn.h>
#include <limits.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <pthread.h>
#include <stdio.h>

#define FUNCTIONS(X)                                                                              \
  X(BIO_new_mem_buf) X(BIO_free) X(PEM_read_bio_PrivateKey) X(ERR_clear_error)                    \
  X(EVP_PKEY_free) X(EVP_PKEY_is_a) X(EVP_PKEY_get_bits) X(EVP_sha256) X(EVP_MD_CTX_new)          \
  X(EVP_MD_CTX_free) X(EVP_DigestInit_ex) X(EVP_DigestUpdate) X(EVP_DigestFinal_ex)               \
  X(EVP_DigestSignInit) X(EVP_DigestSign)

static struct {
#define MEMBER(name) __typeof__(&name) name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} libcrypto;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[512];

static void load(void) {
  void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    snprintf(failure, sizeof failure, "%s", dlerror());
    return;
  }
#define FIND(name)                                                                                \
  libcrypto.name = (__typeof__(&name))dlsym(library, #name);                                      \
  if (libcrypto.name == NULL) snprintf(failure, sizeof failure, "it has no " #name);
  FUNCTIONS(FIND)
#undef FIND
}

const char *firetally_crypto_load(void) {
  pthread_once(&once, load);
  return failure[0] == '\0' ? NULL : failure;
}

// libcrypto keeps its errors in a queue that libcurl's TLS reads as well.
static _Bool succeeded(int result) {
  if (result == 1) return 1;
  libcrypto.ERR_clear_error();
  return 0;
}

firetally_sha256 *firetally_sha256_new(void) {
  EVP_MD_CTX *context = libcrypto.EVP_MD_CTX_new();
  if (context != NULL
      && !succeeded(libcrypto.EVP_DigestInit_ex(context, libcrypto.EVP_sha256(), NULL))) {
    libcrypto.EVP_MD_CTX_free(context);
    context = NULL;
  }
  return (firetally_sha256 *)context;
}

_Bool firetally_sha256_update(firetally_sha256 *digest, const void *bytes, size_t count) {
  return succeeded(libcrypto.EVP_DigestUpdate((EVP_MD_CTX *)digest, bytes, count));
}

_Bool firetally_sha256_finish(firetally_sha256 *digest, unsigned char *result) {
  return succeeded(libcrypto.EVP_DigestFinal_ex((EVP_MD_CTX *)digest, result, NULL));
}

void firetally_sha256_free(firetally_sha256 *digest) {
  libcrypto.EVP_MD_CTX_free((EVP_MD_CTX *)digest);
}

// Without it libcrypto would ask for the password of an encrypted key at the terminal.
static int no_password(char *buffer, int size, int writing, void *user) {
  (void)buffer, (void)size, (void)writing, (void)user;
  return -1;
}

firetally_rsa_key *firetally_rsa_key_new(const char *pem, size_t count) {
  if (count > INT_MAX) return NULL;
  BIO *input = libcrypto.BIO_new_mem_buf(pem, (int)count);
  if (input == NULL) return NULL;
  EVP_PKEY *key = libcrypto.PEM_read_bio_PrivateKey(input, NULL, no_password, NULL);
  libcrypto.BIO_free(input);
  if (key != NULL && libcrypto.EVP_PKEY_is_a(key, "RSA") == 1
      && libcrypto.EVP_PKEY_get_bits(key) >= 2048)
    return (firetally_rsa_key *)key;
  libcrypto.EVP_PKEY_free(key);
  libcrypto.ERR_clear_error();
  return NULL;
}

_Bool firetally_rsa_sign(
    firetally_rsa_key *key, const void *bytes, size_t count, unsigned char *signature,
    size_t *room) {
  EVP_MD_CTX *context = libcrypto.EVP_MD_CTX_new();
  if (context == NULL) return 0;
  _Bool done =
      succeeded(libcrypto.EVP_DigestSignInit(
          context, NULL, libcrypto.EVP_sha256(), NULL, (EVP_PKEY *)key))
      && succeeded(libcrypto.EVP_DigestSign(context, signature, room, bytes, count));
  libcrypto.EVP_MD_CTX_free(context);
  return done;
}

void firetally_rsa_key_free(firetally_rsa_key *key) {
  libcrypto.EVP_PKEY_free((EVP_PKEY *)key);
}
