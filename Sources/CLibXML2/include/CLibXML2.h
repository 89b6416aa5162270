#ifndef FIRETALLY_CLIBXML2_H
#define FIRETALLY_CLIBXML2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the program uses of libxml2. None of libxml2's own headers is seen from Swift: Debian's are
// made with ICU, whose headers clash with the copy inside Foundation.

// Loads libxml2 when that has not been done; NULL, or why it cannot be loaded.
//
// No other function may be called before this one has returned NULL.
const char *firetally_xml_load(void);

// The version of the library in use, such as "20914-GIT".
const char *firetally_xml_version(void);

// A document under construction in memory. What returns a bool is false when memory ran out.
typedef struct firetally_xml_writer firetally_xml_writer;

// NULL when memory ran out.
firetally_xml_writer *firetally_xml_writer_new(void);
void firetally_xml_writer_free(firetally_xml_writer *writer);
bool firetally_xml_doctype(firetally_xml_writer *writer, const uint8_t *name);
bool firetally_xml_start(firetally_xml_writer *writer, const uint8_t *name);
bool firetally_xml_attribute(
    firetally_xml_writer *writer, const uint8_t *name, const uint8_t *value);
bool firetally_xml_text(firetally_xml_writer *writer, const uint8_t *text);
bool firetally_xml_raw(firetally_xml_writer *writer, const uint8_t *text);
bool firetally_xml_end(firetally_xml_writer *writer, bool has_end_tag);
// The whole document, which the writer owns; NULL when memory ran out.
const uint8_t *firetally_xml_finish(firetally_xml_writer *writer, size_t *count);

// What a parser tells while it reads. `listener` is the caller's own.
typedef struct {
  // Each attribute has five pointers: name, prefix, namespace, and the value's start and end.
  void (*began)(
      void *listener, const uint8_t *local, const uint8_t *name_space, size_t attribute_count,
      const uint8_t *const *attributes);
  void (*met)(void *listener, const uint8_t *bytes, size_t count);
  void (*ended)(void *listener, const uint8_t *local, const uint8_t *name_space);
} firetally_xml_listener;

// A parser of a document that comes in pieces.
//
// It loads nothing from elsewhere, and refuses document types and more than 100 nested elements.
typedef struct firetally_xml_parser firetally_xml_parser;

// NULL when memory ran out.
firetally_xml_parser *firetally_xml_parser_new(firetally_xml_listener functions, void *listener);
void firetally_xml_parser_free(firetally_xml_parser *parser);
// Parses the next bytes; false once the document has been refused or found wrong.
bool firetally_xml_parse(
    firetally_xml_parser *parser, const void *bytes, size_t count, bool is_last);
// Why a document has been refused; NULL when it has not.
const char *firetally_xml_refusal(const firetally_xml_parser *parser);
// The last error of a document that is wrong, with its line; NULL when libxml2 does not say.
const char *firetally_xml_error(firetally_xml_parser *parser, int *line);

#endif
