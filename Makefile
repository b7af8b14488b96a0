# make help says what there is. B=dir builds elsewhere; V=1 prints the compiler's calls; BROTLI=no, CURL=no (CURL=link
# links it), GDAL=no and THREADS=no build without these.

CC      ?= cc
CXX     ?= c++
CFLAGS  ?= -O2
PREFIX  ?= /usr/local
DESTDIR ?=
B        = build
SHARED  ?= ../shared
PYTHON  ?= python3

# One job per processor, unless -j is given.
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
endif

WARN    = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef $(DEAD)
# A function that nothing calls is an error.
DEAD    = -Werror=unused-function
LISTS   = $(wildcard src/*.list)
HEADERS = taco.h taco_parquet.h $(filter-out %/taco.h %/taco_parquet.h,$(LISTS:src/%.list=extra/%.h))
PARTS   = $(shell sed -n 's,^[a-z].*,src/&,p' $(LISTS))
# The sources of taco_gdal.h need GDAL, and are not part of the library.
GDAL_SOURCES = $(filter src/gdal/%.c,$(PARTS))
SOURCES = $(filter-out $(GDAL_SOURCES),$(filter %.c,$(PARTS)))

all: $(B)/taco $(B)/probe examples

# What is printed in place of a call, unless V=1: what is made, and nothing for make -s and make demo.
QUIET = $(findstring s,$(filter-out --% %=%,$(firstword -$(MAKEFLAGS))))$(filter demo,$(MAKECMDGOALS))
CALL  = $(if $(V),,@$(if $(QUIET),,echo '  $(or $1,CC)  $@' &&))

# ---- what this machine has ------------------------------------------------------------------------------------------

# SANITIZE, SHARED_TESTS, HAVE_CXX, BROTLI_LIBS, CURL_LIBS, GDAL_LIBS, THREAD_LIBS, DL_LIBS, CAN_LOAD and HAVE_CCACHE.
ifneq ($(filter-out help help-all clean headers format formatted docs,$(or $(MAKECMDGOALS),all)),)
HAVE := $(shell CC='$(CC)' CXX='$(CXX)' CFLAGS='$(CFLAGS)' BROTLI='$(BROTLI)' CURL='$(CURL)' GDAL='$(GDAL)' THREADS='$(THREADS)' \
          sh packaging/have.sh $(B))
include $(B)/have.mk
endif
CCACHE    = $(if $(CCACHE_DISABLE),,$(HAVE_CCACHE))
BROTLI_CC = $(filter-out -l% -L%,$(BROTLI_LIBS)) $(if $(BROTLI_LIBS),-include examples/system_codecs.h)
GDAL_CC   = $(filter-out -l% -L%,$(GDAL_LIBS))
# Programs that load libcurl on demand start faster, and also run if it is not installed; static ones need CURL=link.
CURL_LOADED = $(if $(filter link,$(CURL)),,$(CAN_LOAD))
CURL_TOOL = $(if $(and $(CURL_LIBS),$(CURL_LOADED)),-DREMOTE_LOADS_CURL $(filter-out -l% -L%,$(CURL_LIBS)) $(DL_LIBS),$(CURL_LIBS))

# ---- library and tool -----------------------------------------------------------------------------------------------

# The library is compiled here for the tool and the probe: an object per folder of src/, which takes a fifth less time than
# one per source (but for two folders, of which the probe and the tool have sources of their own). tests/tests.mk compiles
# it with sanitizers.
TOOL     = $(filter-out $(if $(THREAD_LIBS),,tool/pool.c) $(if $(CURL_LIBS),,tool/remote.c),$(wildcard tool/*.c))
TOOL_CC  = $(filter-out -l% -L%,$(BROTLI_LIBS) $(CURL_TOOL)) $(THREAD_LIBS)
OBJECTS  = $(SOURCES:src/%.c=%.o)
# The largest first, so that two jobs end together.
FOLDERS  = sql $(filter-out sql codec parquet,$(patsubst %/,%,$(sort $(dir $(OBJECTS)))))
# Hot loops are in the other folders: with -O1 these compile in half the time and run as fast.
COLD     = sql write legacy rasteret taco3 validate parquet_inspect publish tiff
O1       = $(if $(filter file,$(origin CFLAGS)),-O1,$(CFLAGS))
C99      = $(CALL)$(CCACHE) $(CC) -std=c99 $(WARN) -I. -MMD -MP

$(patsubst %,$(B)/obj/%.c,$(FOLDERS) codec parquet): $(B)/obj/%.c: $(LISTS)
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $(filter src/$*/%,$(SOURCES)) >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(FOLDERS:%=$(B)/obj/%.o): OPT = $(CFLAGS)
$(COLD:%=$(B)/obj/%.o): OPT = $(O1)
$(FOLDERS:%=$(B)/obj/%.o): %.o: %.c
	$(C99) $(OPT) -c $< -o $@
$(B)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	$(C99) $(CFLAGS) -c $< -o $@
$(B)/obj/tool/%.o: tool/%.c
	@mkdir -p $(@D)
	$(C99) $(O1) $(TOOL_CC) -c $< -o $@
# The only source that uses a Brotli decoder.
$(B)/obj/brotli.o: src/parquet/page_decompress.c
	@mkdir -p $(@D)
	$(C99) $(CFLAGS) $(BROTLI_CC) -c $< -o $@
$(B)/obj/libtaco.a: $(FOLDERS:%=$(B)/obj/%.o) $(patsubst %,$(B)/obj/%,$(filter codec/% parquet/%,$(OBJECTS)))
	@rm -f $@ && $(AR) rcs $@ $^
$(B)/taco: $(B)/obj/libtaco.a $(B)/obj/brotli.o $(TOOL:%.c=$(B)/obj/%.o)
	$(call CALL,LD)$(CC) $(CFLAGS) $(filter %.o,$^) $< $(BROTLI_LIBS) $(CURL_TOOL) $(THREAD_LIBS) -o $@
$(B)/obj/probe.o: tests/probe.c
	@mkdir -p $(@D)
	$(C99) $(CFLAGS) $(filter -D% -I%,$(BROTLI_LIBS)) -c $< -o $@
$(B)/probe: $(B)/obj/probe.o $(B)/obj/brotli.o $(B)/obj/libtaco.a
	$(call CALL,LD)$(CC) $(CFLAGS) $^ $(BROTLI_LIBS) -o $@

all: $(if $(GDAL_LIBS),$(B)/taco-gdal)
# The tool with GDAL is a separate program, because loading GDAL takes longer than most commands run.
$(B)/obj/gdal/%.o: src/gdal/%.c
	@mkdir -p $(@D)
	$(C99) $(CFLAGS) $(GDAL_CC) -c $< -o $@
$(B)/obj/tool/gdal-with.o: tool/gdal.c
	@mkdir -p $(@D)
	$(C99) $(CFLAGS) $(TOOL_CC) -DWITH_GDAL -D_LARGEFILE64_SOURCE $(GDAL_CC) -c $< -o $@
$(B)/taco-gdal: $(filter-out %/gdal.o,$(TOOL:%.c=$(B)/obj/%.o)) $(B)/obj/tool/gdal-with.o $(GDAL_SOURCES:src/%.c=$(B)/obj/%.o) \
                $(B)/obj/brotli.o $(B)/obj/libtaco.a
	$(call CALL,LD)$(CC) $(CFLAGS) $^ $(BROTLI_LIBS) $(CURL_TOOL) $(THREAD_LIBS) $(filter -l% -L%,$(GDAL_LIBS)) -o $@

demo: $(B)/taco
	@sh examples/demo.sh $(B)/taco

# The headers that users copy, generated from src/ and checked in.
headers:
	@sh src/headers.sh
$(HEADERS): $(B)/headers ;
$(B)/headers: $(PARTS) $(LISTS) src/headers.sh
	@sh src/headers.sh && touch $@

# Example programs, compiled as users compile them: from the headers alone.
EXAMPLES = $(B)/query $(B)/column $(B)/arrow $(B)/vendored $(B)/create $(if $(GDAL_LIBS),$(B)/gdal_stats)
examples: $(EXAMPLES)
$(B)/gdal_stats: EXAMPLE_CC = $(GDAL_CC)
$(B)/gdal_stats: EXAMPLE_LIBS = $(filter -l% -L%,$(GDAL_LIBS))
$(EXAMPLES): $(B)/%: examples/%.c $(HEADERS)
	$(CALL)$(CC) -std=c99 -O0 $(filter-out $(DEAD),$(WARN)) -I. $(EXAMPLE_CC) $< $(EXAMPLE_LIBS) -o $@

# HTML pages of the manuals, the declarations and the guides. Any doxygen warning about a header is an error.
docs:
	@mkdir -p $(B)/docs
	@{ cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $(B)/docs"; } | doxygen - 2>$(B)/docs/log
	@! grep -E 'src/api/.*(warning|error)' $(B)/docs/log
	@echo $(B)/docs/html/index.html

include tests/tests.mk bindings/bindings.mk tests/interop/interop.mk fuzz/fuzz.mk bindings/browser/browser.mk bench/bench.mk
include packaging/packaging.mk

# ---- other targets --------------------------------------------------------------------------------------------------

FORMATTED = $(PARTS) $(wildcard tool/*.[ch] bindings/*.h bindings/*/*.c bindings/python/native/*.[ch] bindings/browser/native/*.c packaging/*.c packaging/*/*.c examples/*.[ch] examples/*/*.[ch] tests/*.[ch] tests/*.cpp \
              tests/interop/*.c fuzz/*.[ch] bench/*.[ch])
format:
	@clang-format -i $(FORMATTED)
formatted:
	@clang-format --dry-run -Werror $(FORMATTED)

clean:
	rm -rf $(B)

# The lines of packaging/help.txt above the empty one, or all.
help:
	@sed '/^$$/,$$d' packaging/help.txt
help-all:
	@grep . packaging/help.txt

-include $(shell find $(B)/obj $(B)/san $(B)/tests -name '*.d' 2>/dev/null) $(wildcard $(B)/*.d)

, := ,
.PHONY: all docs examples demo headers format formatted clean help help-all
