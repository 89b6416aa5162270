#ifndef FIRETALLY_CLIBXML2_H
#define FIRETALLY_CLIBXML2_H

// Debian's libxml2 is built with ICU, whose headers clash with the copy inside Foundation:
// a clean build then fails although an incremental one succeeds. Nothing here needs ICU.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/globals.h>
#include <libxml/xmlwriter.h>

// The version of the library in use, such as 20914; a variable in C, which Swift does not share.
static inline const char *firetally_xml_version(void) { return xmlParserVersion; }

#endif
