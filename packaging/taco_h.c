/* taco_h.c - the library libtaco_h: every header's implementation in one object, with the public
   calls as its only symbols. Make compiles it, and CMake for Windows. SYSTEM_BROTLI links
   libbrotlidec for Brotli pages. */
#ifdef SYSTEM_BROTLI
#include "../examples/system_codecs.h"
#endif

#define TACO_IMPLEMENTATION
#include "../extra/taco_legacy.h"
#include "../extra/taco_publish.h"
#include "../extra/taco_rasteret.h"
#include "../extra/taco_v3.h"
#include "../extra/taco_sql.h"
