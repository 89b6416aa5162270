#ifndef FIRETALLY_CLIBXML2_H
#define FIRETALLY_CLIBXML2_H

// Debian's headers include ICU's, which clash with the copy inside Foundation.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/xmlwriter.h>

// A macro in some versions, which Swift does not import.
static inline const char *firetally_xml_version(void) { return xmlParserVersion; }

// What the error points to became constant in version 2.12.
static inline const xmlError *firetally_xml_error(xmlParserCtxtPtr parser) {
  return xmlCtxtGetLastError(parser);
}

#endif
