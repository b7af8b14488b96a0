/* The library, compiled once for the tests that use nothing but its public calls. */
#define TACO_IMPLEMENTATION
#include "../taco_publish.h"
#include "../taco_legacy.h"
#include "../taco_rasteret.h"
