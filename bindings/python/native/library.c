/* library.c - the implementation of the headers, compiled into the module */
#ifdef SYSTEM_BROTLI
#include "system_codecs.h"
#endif

#define TACO_IMPLEMENTATION
#include "taco_legacy.h"
#include "taco_publish.h"
#include "taco_rasteret.h"
#include "taco_sql.h"
