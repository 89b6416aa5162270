// libxml2's functions, found when the first page or feed needs them; the way of
// docs/decisions/015-late-libraries.md.

#include "CLibXML2.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <libxml/parser.h>
#include <libxml/xmlwriter.h>

// libxml2's structures, which these headers describe, are those of one of these two.
#if LIBXML_VERSION >= 21400
#define LIBRARY "libxml2.so.16"
#else
#define LIBRARY "libxml2.so.2"
#endif

// How deep elements may be nested, as values of Firestore may.
#define MOST_NESTED 100

#define FUNCTIONS(X)                                                                              \
  X(BufferCreate) X(BufferFree) X(BufferContent) X(BufferLength)                                  \
  X(NewTextWriterMemory) X(FreeTextWriter) X(TextWriterWriteDTD) X(TextWriterStartElement)        \
  X(TextWriterWriteAttribute) X(TextWriterWriteString) X(TextWriterWriteRaw)                      \
  X(TextWriterEndElement) X(TextWriterFullEndElement) X(TextWriterEndDocument)                    \
  X(TextWriterFlush)                                                                              \
  X(InitParser) X(CreatePushParserCtxt) X(CtxtUseOptions) X(ParseChunk) X(StopParser)             \
  X(CtxtGetLastError) X(FreeDoc) X(FreeParserCtxt)

static struct {
#define MEMBER(name) __typeof__(&xml##name) name;
  FUNCTIONS(MEMBER)
#undef MEMBER
  // A variable of libxml2's, which some versions hide behind a macro of the same name.
  const char *const *version;
} libxml2;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[512];

static void load(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    snprintf(failure, sizeof failure, "%s", dlerror());
    return;
  }
#define FIND(name)                                                                                \
  libxml2.name = (__typeof__(&xml##name))dlsym(library, "xml" #name);                             \
  if (libxml2.name == NULL) snprintf(failure, sizeof failure, "it has no xml" #name);
  FUNCTIONS(FIND)
#undef FIND
  libxml2.version = dlsym(library, "xmlParserVersion");
  if (libxml2.version == NULL) snprintf(failure, sizeof failure, "it has no xmlParserVersion");
  if (failure[0] == '\0') libxml2.InitParser();
}

const char *firetally_xml_load(void) {
  pthread_once(&once, load);
  return failure[0] == '\0' ? NULL : failure;
}

const char *firetally_xml_version(void) { return *libxml2.version; }

struct firetally_xml_writer {
  xmlBufferPtr buffer;
  xmlTextWriterPtr writer;
};

firetally_xml_writer *firetally_xml_writer_new(void) {
  firetally_xml_writer *made = calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  made->buffer = libxml2.BufferCreate();
  if (made->buffer != NULL) made->writer = libxml2.NewTextWriterMemory(made->buffer, 0);
  if (made->writer != NULL) return made;
  firetally_xml_writer_free(made);
  return NULL;
}

void firetally_xml_writer_free(firetally_xml_writer *it) {
  if (it->writer != NULL) libxml2.FreeTextWriter(it->writer);
  if (it->buffer != NULL) libxml2.BufferFree(it->buffer);
  free(it);
}

bool firetally_xml_doctype(firetally_xml_writer *it, const uint8_t *name) {
  return libxml2.TextWriterWriteDTD(it->writer, name, NULL, NULL, NULL) >= 0;
}

bool firetally_xml_start(firetally_xml_writer *it, const uint8_t *name) {
  return libxml2.TextWriterStartElement(it->writer, name) >= 0;
}

bool firetally_xml_attribute(
    firetally_xml_writer *it, const uint8_t *name, const uint8_t *value) {
  return libxml2.TextWriterWriteAttribute(it->writer, name, value) >= 0;
}

bool firetally_xml_text(firetally_xml_writer *it, const uint8_t *text) {
  return libxml2.TextWriterWriteString(it->writer, text) >= 0;
}

bool firetally_xml_raw(firetally_xml_writer *it, const uint8_t *text) {
  return libxml2.TextWriterWriteRaw(it->writer, text) >= 0;
}

bool firetally_xml_end(firetally_xml_writer *it, bool has_end_tag) {
  return (has_end_tag ? libxml2.TextWriterFullEndElement(it->writer)
                      : libxml2.TextWriterEndElement(it->writer)) >= 0;
}

const uint8_t *firetally_xml_finish(firetally_xml_writer *it, size_t *count) {
  if (libxml2.TextWriterEndDocument(it->writer) < 0) return NULL;
  if (libxml2.TextWriterFlush(it->writer) < 0) return NULL;
  *count = (size_t)libxml2.BufferLength(it->buffer);
  return libxml2.BufferContent(it->buffer);
}

struct firetally_xml_parser {
  xmlParserCtxtPtr context;
  firetally_xml_listener functions;
  void *listener;
  int depth;
  const char *refusal;
};

static void refuse(firetally_xml_parser *it, const char *reason) {
  it->refusal = reason;
  libxml2.StopParser(it->context);
}

static void refuse_doctype(
    void *parser, const xmlChar *name, const xmlChar *public_id, const xmlChar *system_id) {
  (void)name, (void)public_id, (void)system_id;
  refuse(parser, "it has a document type, which no feed needs");
}

static void began(
    void *parser, const xmlChar *local, const xmlChar *prefix, const xmlChar *name_space,
    int namespace_count, const xmlChar **namespaces, int attribute_count, int default_count,
    const xmlChar **attributes) {
  (void)prefix, (void)namespace_count, (void)namespaces, (void)default_count;
  firetally_xml_parser *it = parser;
  if (++it->depth > MOST_NESTED) return refuse(it, "it nests more than 100 elements");
  it->functions.began(
      it->listener, local, name_space, (size_t)attribute_count, (const uint8_t *const *)attributes);
}

static void ended(
    void *parser, const xmlChar *local, const xmlChar *prefix, const xmlChar *name_space) {
  (void)prefix;
  firetally_xml_parser *it = parser;
  it->depth--;
  it->functions.ended(it->listener, local, name_space);
}

static void met(void *parser, const xmlChar *bytes, int count) {
  firetally_xml_parser *it = parser;
  it->functions.met(it->listener, bytes, (size_t)count);
}

firetally_xml_parser *firetally_xml_parser_new(firetally_xml_listener functions, void *listener) {
  xmlSAXHandler handler = {
      .initialized = XML_SAX2_MAGIC, .internalSubset = refuse_doctype, .startElementNs = began,
      .endElementNs = ended, .characters = met, .cdataBlock = met};
  firetally_xml_parser *made = calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  made->functions = functions;
  made->listener = listener;
  made->context = libxml2.CreatePushParserCtxt(&handler, made, NULL, 0, NULL);
  if (made->context == NULL) {
    free(made);
    return NULL;
  }
  libxml2.CtxtUseOptions(
      made->context, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  return made;
}

void firetally_xml_parser_free(firetally_xml_parser *it) {
  libxml2.FreeDoc(it->context->myDoc);
  libxml2.FreeParserCtxt(it->context);
  free(it);
}

bool firetally_xml_parse(
    firetally_xml_parser *it, const void *bytes, size_t count, bool is_last) {
  const char *next = bytes;
  do {
    int piece = count > INT_MAX ? INT_MAX : (int)count;
    libxml2.ParseChunk(it->context, next, piece, is_last && (size_t)piece == count);
    next += piece;
    count -= (size_t)piece;
  } while (count > 0);
  return it->refusal == NULL && it->context->wellFormed != 0;
}

const char *firetally_xml_refusal(const firetally_xml_parser *it) { return it->refusal; }

const char *firetally_xml_error(firetally_xml_parser *it, int *line) {
  const xmlError *error = libxml2.CtxtGetLastError(it->context);
  if (error == NULL) return NULL;
  *line = error->line;
  return error->message;
}
