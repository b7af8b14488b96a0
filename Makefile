# make help lists the targets. B=dir builds elsewhere; BROTLI=no, CURL=no (CURL=link links it), GDAL=no and THREADS=no build without these.

CC      ?= cc
CXX     ?= c++
CFLAGS  ?= -O2
PREFIX  ?= /usr/local
DESTDIR ?=
B        = build

# One job per processor, unless -j is given.
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
endif

WARN    = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef $(DEAD)
# A function that nothing calls is an error.
DEAD    = -Werror=unused-function
LISTS   = $(wildcard src/*.list)
HEADERS = $(LISTS:src/%.list=%.h)
PARTS   = $(shell sed -n 's,^[a-z].*,src/&,p' $(LISTS))
# The sources of taco_gdal.h need GDAL, and are not part of the library.
GDAL_SOURCES = $(filter src/gdal/%.c,$(PARTS))
SOURCES = $(filter-out $(GDAL_SOURCES),$(filter %.c,$(PARTS)))

all: $(B)/taco $(B)/probe examples

# ---- what this machine has ------------------------------------------------------------------------------------------

# Sanitizers are used only if a program built with them runs.
SANITIZE := $(shell mkdir -p $(B) && echo 'int main(void){return 0;}' > $(B)/try_san.c && \
              $(CC) -fsanitize=address,undefined $(B)/try_san.c -o $(B)/try_san 2>/dev/null && $(B)/try_san && \
              echo '-fsanitize=address,undefined -fno-sanitize-recover=all')
HAVE_CXX := $(shell mkdir -p $(B) && echo 'int main(){return 0;}' > $(B)/try_cxx.cpp && \
              $(CXX) $(SANITIZE) $(B)/try_cxx.cpp -o $(B)/try_cxx 2>/dev/null && $(B)/try_cxx && echo yes)

# libbrotlidec, for the tool and the probe: flags for compiling and linking.
ifneq ($(BROTLI),no)
BROTLI_LIBS := $(shell mkdir -p $(B) && echo 'int main(void){return !BrotliDecoderVersion();}' > $(B)/try_brotli.c && \
                 for l in "$$(pkg-config --cflags --libs libbrotlidec 2>/dev/null)" "-lbrotlidec -lbrotlicommon"; do \
                 test "$$l" && $(CC) -include brotli/decode.h $(B)/try_brotli.c $$l -o $(B)/try_brotli 2>/dev/null && \
                 { echo "-DSYSTEM_BROTLI $$l"; break; }; done)
endif
BROTLI_CC = $(filter-out -l% -L%,$(BROTLI_LIBS)) $(if $(BROTLI_LIBS),-include examples/system_codecs.h)

# libcurl, for the tool: https:// and s3://. Programs that load it on demand start faster, and also run if it is not
# installed; CURL=link links it, which static programs need.
ifneq ($(CURL),no)
CURL_LIBS := $(shell mkdir -p $(B) && printf '\043include <curl/curl.h>\n\043if !CURL_AT_LEAST_VERSION(7,75,0)\n\043error\n\043endif\nint main(void){return !curl_version();}' > $(B)/try_curl.c && \
               for l in "$$(pkg-config --cflags --libs libcurl 2>/dev/null)" -lcurl; do \
               test "$$l" && $(CC) $(B)/try_curl.c $$l -o $(B)/try_curl 2>/dev/null && { echo "-DWITH_CURL $$l"; break; }; done)
endif
CURL_TOOL = $(if $(and $(CURL_LIBS),$(CURL_LOADED)),-DREMOTE_LOADS_CURL $(filter-out -l% -L%,$(CURL_LIBS)) $(DL_LIBS),$(CURL_LIBS))

# GDAL, for the test of taco_gdal.h and for the plugin. -isystem, because its headers cause warnings.
ifneq ($(GDAL),no)
GDAL_LIBS := $(shell mkdir -p $(B) && printf '\043include <gdal.h>\n\043if GDAL_VERSION_NUM < 3060000\n\043error\n\043endif\nint main(void){return GDALGetDriverCount();}' > $(B)/try_gdal.c && \
               for l in "$$(gdal-config --cflags --libs 2>/dev/null | tr '\n' ' ')" "$$(pkg-config --cflags --libs gdal 2>/dev/null)"; do \
               test "$$l" && $(CC) $(B)/try_gdal.c $$l -o $(B)/try_gdal 2>/dev/null && { echo "$$l" | sed 's/-I/-isystem /g'; break; }; done)
GDAL_CC = $(filter-out -l% -L%,$(GDAL_LIBS))
endif

# POSIX threads, for the tool and the tests of threads.
ifneq ($(THREADS),no)
THREAD_LIBS := $(shell mkdir -p $(B) && echo 'int main(void){pthread_t t;(void)t;return !sysconf(_SC_NPROCESSORS_ONLN);}' > $(B)/try_threads.c && \
                 $(CC) -D_POSIX_C_SOURCE=200809L -include pthread.h -include unistd.h $(B)/try_threads.c -pthread -o $(B)/try_threads 2>/dev/null && \
                 echo "-DWITH_THREADS -pthread")
endif

# libdl, for C libraries without dlsym.
DL_LIBS := $(shell mkdir -p $(B) && echo 'int main(void){return 0;}' > $(B)/try_dl.c && \
             $(CC) $(B)/try_dl.c -ldl -o $(B)/try_dl 2>/dev/null && echo -ldl)

ifeq ($(filter link,$(CURL))$(filter -static,$(CFLAGS) $(CC)),)
CURL_LOADED := $(shell mkdir -p $(B) && printf '\043include <dlfcn.h>\nint main(void){return !dlopen(0,RTLD_NOW);}' > $(B)/try_load.c && \
                 $(CC) -std=c99 $(B)/try_load.c $(DL_LIBS) -o $(B)/try_load 2>/dev/null && echo yes)
endif

# ---- library and tool -----------------------------------------------------------------------------------------------

# The library is compiled twice: in build/obj for the tool and the probe, an object per folder of src/, which takes a
# fifth less time than one per source (but for two folders, of which the probe and the tool have sources of their own); in
# build/san, with sanitizers, for the tests, an object per source.
TOOL     = $(filter-out $(if $(THREAD_LIBS),,tool/pool.c) $(if $(CURL_LIBS),,tool/remote.c),$(wildcard tool/*.c))
TOOL_CC  = $(filter-out -l% -L%,$(BROTLI_LIBS) $(CURL_TOOL)) $(THREAD_LIBS)
OBJECTS  = $(SOURCES:src/%.c=%.o)
# The largest first, so that two jobs end together.
FOLDERS  = sql $(filter-out sql codec parquet,$(patsubst %/,%,$(sort $(dir $(OBJECTS)))))
# Hot loops are in the other folders: with -O1 these compile in half the time and run as fast.
COLD     = sql write legacy rasteret validate parquet_inspect publish tiff
O1       = $(if $(filter file,$(origin CFLAGS)),-O1,$(CFLAGS))
C99      = $(CC) -std=c99 $(WARN) -MMD -MP
C99_SAN  = $(CC) -std=c99 -g $(SANITIZE) $(WARN) -MMD -MP

$(FOLDERS:%=$(B)/obj/%.c): $(B)/obj/%.c: $(LISTS)
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $(filter src/$*/%,$(SOURCES)) >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(FOLDERS:%=$(B)/obj/%.o): OPT = $(CFLAGS)
$(COLD:%=$(B)/obj/%.o): OPT = $(O1)
$(FOLDERS:%=$(B)/obj/%.o): %.o: %.c
	$(C99) $(OPT) -I. -c $< -o $@
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
	$(CC) $(CFLAGS) $(filter %.o,$^) $< $(BROTLI_LIBS) $(CURL_TOOL) $(THREAD_LIBS) -o $@
$(B)/probe: tests/probe.c $(B)/obj/brotli.o $(B)/obj/libtaco.a
	$(C99) $(CFLAGS) $< $(B)/obj/brotli.o $(B)/obj/libtaco.a $(BROTLI_LIBS) -o $@

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
	$(CC) $(CFLAGS) $^ $(BROTLI_LIBS) $(CURL_TOOL) $(THREAD_LIBS) $(filter -l% -L%,$(GDAL_LIBS)) -o $@

# Tests of codecs are slow without optimisation; everything else compiles faster without it.
$(B)/san/%.o: SAN_OPT = -O0
$(B)/san/codec/%.o $(B)/san/base/%.o: SAN_OPT = -O1
$(B)/san/%.o: src/%.c
	@mkdir -p $(@D)
	$(C99_SAN) $(SAN_OPT) $(SYSTEM_CC) -c $< -o $@
$(B)/san/tool/%.o: tool/%.c
	@mkdir -p $(@D)
	$(C99_SAN) -O0 $(TOOL_CC) $(filter -DSYSTEM_%,$(SYSTEM_CC)) -c $< -o $@
$(B)/san/brotli.o: src/parquet/page_decompress.c
	@mkdir -p $(@D)
	$(C99_SAN) -O0 $(SYSTEM_CC) $(BROTLI_CC) -c $< -o $@
$(B)/san/libtaco.a: $(OBJECTS:%=$(B)/san/%)
	@rm -f $@ && $(AR) rcs $@ $^
$(B)/taco-san: $(TOOL:%.c=$(B)/san/%.o) $(B)/san/brotli.o $(B)/san/libtaco.a
	$(CC) $(SANITIZE) $^ $(BROTLI_LIBS) $(CURL_TOOL) $(THREAD_LIBS) $(SYSTEM_LIBS) -o $@
# The tool with GDAL for its test, in the folder where the plain tool looks for it.
$(B)/san/gdal/%.o: src/gdal/%.c
	@mkdir -p $(@D)
	$(C99_SAN) -O0 $(GDAL_CC) -c $< -o $@
$(B)/san/tool/gdal-with.o: tool/gdal.c
	@mkdir -p $(@D)
	$(C99_SAN) -O0 $(TOOL_CC) -DWITH_GDAL -D_LARGEFILE64_SOURCE $(GDAL_CC) -c $< -o $@
$(B)/san/taco-gdal: $(filter-out %/gdal.o,$(TOOL:%.c=$(B)/san/%.o)) $(B)/san/tool/gdal-with.o $(GDAL_SOURCES:src/%.c=$(B)/san/%.o) \
                    $(B)/san/brotli.o $(B)/san/libtaco.a $(B)/taco-san
	$(CC) $(SANITIZE) $(filter %.o %.a,$^) $(BROTLI_LIBS) $(CURL_TOOL) $(THREAD_LIBS) $(SYSTEM_LIBS) $(filter -l% -L%,$(GDAL_LIBS)) -o $@
	@ln -f $(B)/taco-san $(B)/san/taco
$(B)/probe-san: tests/probe.c $(B)/san/brotli.o $(B)/san/libtaco.a
	$(C99_SAN) -O0 $(SYSTEM_CC) $< $(B)/san/brotli.o $(B)/san/libtaco.a $(BROTLI_LIBS) $(SYSTEM_LIBS) -o $@

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
	$(CC) -std=c99 -O0 $(filter-out $(DEAD),$(WARN)) $(EXAMPLE_CC) $< $(EXAMPLE_LIBS) -o $@

# HTML pages of the manuals, the declarations and the guides. Any doxygen warning about a header is an error.
docs:
	@mkdir -p $(B)/docs
	@{ cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $(B)/docs"; } | doxygen - 2>$(B)/docs/log
	@! grep -E 'src/api/.*(warning|error)' $(B)/docs/log
	@echo $(B)/docs/html/index.html

# ---- tests ----------------------------------------------------------------------------------------------------------

TESTS = $(patsubst tests/%.c,$(B)/tests/%,$(filter-out $(if $(GDAL_LIBS),,tests/test_gdal.c),$(wildcard tests/test_*.c))) $(if $(HAVE_CXX),$(B)/tests/test_cpp)

test: $(B)/taco-san $(if $(GDAL_LIBS),$(B)/san/taco-gdal) $(TESTS) $(B)/probe-san $(EXAMPLES)
	@$(if $(HAVE_CXX),:,echo "SKIPPED tests/test_cpp.cpp: no C++ compiler ($(CXX))")
	@$(if $(GDAL_LIBS),:,echo "SKIPPED tests/test_gdal.c: no GDAL 3.6 or newer with its headers")
	@$(if $(SANITIZE)$(filter command,$(origin SANITIZE)),:,echo "SKIPPED sanitizers: $(CC) has no -fsanitize=address$(,)undefined; tests run without")
	@TACO=$(B)/taco-san PROBE=$(B)/probe-san EXAMPLES=$(B) LIBTACO=$(B)/san/libtaco.a LIBS="$(SYSTEM_LIBS)" CC="$(CC)" SANITIZE="$(SANITIZE)" sh tests/run.sh $(TESTS)

# A test of a source includes it, to reach its static functions; everything else comes from the library.
$(TESTS): TEST_OPT = -O0
$(addprefix $(B)/tests/test_,enc zstd zstd_enc encode flate lz4 snappy hash bits prune): TEST_OPT = -O1
$(B)/tests/%: tests/%.c $(B)/san/libtaco.a
	@mkdir -p $(@D)
	$(C99_SAN) $(TEST_OPT) $(SYSTEM_CC) $< $(TEST_SOURCES) $(B)/san/libtaco.a $(SYSTEM_LIBS) $(TEST_LIBS) -o $@
$(addprefix $(B)/tests/test_,threads parallel sql_tasks write_tasks): TEST_SOURCES = $(if $(THREAD_LIBS),tool/pool.c)
$(addprefix $(B)/tests/test_,threads parallel sql_tasks write_tasks): tool/pool.c tool/pool.h
$(addprefix $(B)/tests/test_,threads parallel sql_tasks write_tasks): TEST_LIBS = $(THREAD_LIBS)
$(B)/tests/test_parallel: tool/parallel.c tool/tool.h
$(B)/tests/test_gdal: TEST_SOURCES = $(GDAL_SOURCES) $(if $(THREAD_LIBS),tool/pool.c)
$(B)/tests/test_gdal: TEST_LIBS = $(GDAL_LIBS) $(THREAD_LIBS)
$(B)/tests/test_gdal: $(GDAL_SOURCES)
# Its replacements of C library functions need dlsym.
$(B)/tests/test_write_faults: TEST_LIBS = $(DL_LIBS)
# Linked with all of the tool but main.
$(B)/tests/test_options: TEST_SOURCES = $(filter-out %/main.o,$(TOOL:%.c=$(B)/san/%.o))
$(B)/tests/test_options: TEST_LIBS = $(BROTLI_LIBS) $(CURL_TOOL) $(THREAD_LIBS)
$(B)/tests/test_options: $(TOOL:%.c=$(B)/san/%.o)
# Two uses that only the headers support: decoders provided by the program, and C++.
$(B)/tests/test_codecs: tests/test_codecs.c $(HEADERS)
	@mkdir -p $(@D)
	$(CC) -std=c99 -g -O0 $(SANITIZE) $(filter-out $(DEAD),$(WARN)) -DTACO_STATIC $< -o $@
$(B)/tests/test_cpp: tests/test_cpp.cpp tests/test.h $(HEADERS)
	@mkdir -p $(@D)
	$(CXX) -std=c++11 -g -O0 $(if $(SANITIZE),-fsanitize=address) $(filter-out $(DEAD),$(WARN)) -DTACO_STATIC $< -o $@

# The same with libzstd, zlib, snappy, lz4 and libbrotlidec instead of our decoders, without the tests of our own.
SYSTEM_CODECS = -D_POSIX_C_SOURCE=200809L -DSYSTEM_BROTLI -DSYSTEM_ZSTD -DSYSTEM_ZLIB -DSYSTEM_SNAPPY -DSYSTEM_LZ4 \
                -include examples/system_codecs.h
OWN_DECODERS  = $(addprefix $(B)/system/tests/test_,flate hash lz4 snappy zstd codecs)
test-system-codecs:
	@$(MAKE) --no-print-directory B=$(B)/system BROTLI=no DEAD=-Wno-unused-function SYSTEM_CC='$(SYSTEM_CODECS)' \
	    SYSTEM_LIBS='-lbrotlidec -lzstd -lz -lsnappy -llz4' \
	    TESTS='$(filter-out $(OWN_DECODERS),$(TESTS:$(B)/%=$(B)/system/%))' test

# The tests of code that TACO_SMALL changes, and of reading with it.
SMALL_TESTS = bits enc hash flate lz4 snappy zstd read reads expr prune verify num text query views errors
test-small:
	@$(MAKE) --no-print-directory B=$(B)/small BROTLI=no DEAD=-Wno-unused-function SYSTEM_CC=-DTACO_SMALL \
	    TESTS='$(SMALL_TESTS:%=$(B)/small/tests/test_%)' test

# examples/embedded on a Cortex-M3 in QEMU, within 256 KiB of RAM.
embedded: $(B)/taco
	@CC="$(CC)" TACO=$(B)/taco sh tests/embedded.sh $(B)/embedded

# Code size by the parts of the library that a program uses: docs/sizes.md.
sizes:
	@sh tests/sizes.sh >$(B)/sizes.md && mv $(B)/sizes.md docs/sizes.md && cat docs/sizes.md
sizes-check:
	@sh tests/sizes.sh --check
# The results of queries with each TACO_NO_ switch.
switches: $(B)/taco
	@CC="$(CC)" TACO=$(B)/taco sh tests/switches.sh $(B)/switches

check:
	@sh tests/house.sh
	@CC="$(CC)" sh tests/matrix.sh
# Stack frames of at most 8 KB, and bounded recursion; needs gcc.
frames:
	@$(PYTHON) tests/frames.py $(B)/frames
# Findings of four analyzers in every source, except those in tests/analyze.txt; N and SEED choose some sources.
analyze:
	@$(PYTHON) tests/analyze.py $(if $(N),--sample $(N)) --seed $(or $(SEED),1)
# The tests and the tool on other machines, in emulators; M and T choose some.
check-machines: $(B)/taco
	@TACO=$(B)/taco T="$(T)" sh tests/machines.sh $(M)
replay:
	@CC="$(CC)" sh tests/crashers.sh
fuzz:
	@sh fuzz/run.sh $(T) $(or $(S),60)

# Every target for S seconds, JOBS of them at a time: findings, executions per second, edges reached.
fuzz-all:
	@sh fuzz/seeds.sh
	@printf '%s\n' $(patsubst fuzz/fuzz_%.c,%,$(wildcard fuzz/fuzz_*.c)) | xargs -P $(or $(JOBS),2) -I '{}' sh fuzz/run.sh '{}' $(or $(S),60)

# Coverage of each parsing source by the targets, after S seconds each; fails below LEAST percent.
fuzz-reach:
	@$(PYTHON) fuzz/reach.py --seconds $(or $(S),0) --least $(or $(LEAST),0) $(T)

# ---- with other programs; SHARED=dir has their files, ../shared by default ------------------------------------------

SHARED ?= ../shared
PYTHON ?= python3

# Writers using the same output at the same time, and hostile files beside it.
races: $(B)/taco
	@$(PYTHON) tests/interop/races.py $(B)/taco $(B)/races --count $(or $(N),200)
# Time and memory of every command that reads damaged files, with --strict-limits; N mutants.
strict: $(B)/taco
	@$(PYTHON) tests/interop/strict.py $(B)/taco $(SHARED) $(B)/strict --mutants $(or $(N),3000)
# How time grows with the size of untrusted input.
growth: $(B)/taco
	@$(PYTHON) tests/interop/growth.py $(B)/taco $(B)/growth
# The state on disk after a power failure while a command writes; needs strace.
power: $(B)/taco
	@$(PYTHON) tests/interop/power.py $(B)/taco $(B)/power --random $(or $(N),40)
# Mutation testing with N mutants: lists those that no test notices.
mutate:
	@CC="$(CC)" $(PYTHON) tests/mutate.py --dir $(B)/mutate --count $(or $(N),100) --seed $(or $(SEED),1) $(if $(OWN),--own)
# Coverage of `make test` by header and by file, in a separate build with gcc.
coverage:
	@find $(B)/coverage -name '*.gcda' -delete 2>/dev/null || :
	@$(MAKE) --no-print-directory B=$(B)/coverage CC=gcc SANITIZE='--coverage -DTACO__CALLS' CFLAGS=-O0 SAN_OPT=-O0 TEST_OPT=-O0 test
	@$(PYTHON) tests/coverage.py $(B)/coverage $(if $(LEAST),--least $(LEAST))
interop-rasteret: $(B)/taco
	@$(PYTHON) tests/interop/rasteret.py $(B)/taco $(SHARED) $(PY03) $(PY04)

# A virtual environment with pinned Python packages.
$(B)/arrow-env/ready: tests/interop/requirements.txt
	python3 -m venv $(B)/arrow-env
	$(B)/arrow-env/bin/pip install -q --disable-pip-version-check -r tests/interop/requirements.txt
	@touch $@
$(B)/libtaco_stream.so: tests/interop/stream.c examples/system_codecs.h $(HEADERS)
	$(CC) -std=c99 -O1 -g -shared -fPIC $(filter-out $(DEAD),$(WARN)) $< $(BROTLI_LIBS) -o $@
interop-arrow: $(B)/taco $(B)/libtaco_stream.so $(B)/arrow-env/ready
	@$(B)/arrow-env/bin/python tests/interop/arrow.py $(B)/libtaco_stream.so $(B)/taco $(SHARED)

# The result of `PRAGMA platform` in DuckDB; each binary is for one platform. Older Linux wheels use linux_amd64_gcc4.
PLATFORM ?= $(shell os=$$(uname -s | sed 's/Darwin/osx/; s/Linux/linux/; s/MINGW.*/windows/'); \
              cpu=$$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/'); echo $${os}_$$cpu)
VERSION := v$(shell sed -n 's/^\#define TACO_VERSION  *"\(.*\)"/\1/p' src/api/taco_parquet.h)
MODULE   = $(CC) -std=c99 $(CFLAGS) $(filter-out $(DEAD),$(WARN)) -shared -fPIC -fvisibility=hidden

$(B)/duckdb/duckdb_extension.h: bindings/duckdb/headers.sh
	sh bindings/duckdb/headers.sh $(B)/duckdb
	@touch $@
$(B)/taco_duckdb.so: bindings/duckdb/read_taco.c bindings/names.h tool/remote.c tool/remote.h examples/system_codecs.h $(HEADERS) $(B)/duckdb/duckdb_extension.h
	$(MODULE) -isystem $(B)/duckdb $< $(BROTLI_LIBS) $(CURL_LIBS) -o $@
$(B)/%.duckdb_extension: $(B)/taco_duckdb.so bindings/duckdb/footer.sh
	@mkdir -p $(@D)
	sh bindings/duckdb/footer.sh $< $@ $(PLATFORM) $(VERSION)
duckdb-extension: $(B)/taco.duckdb_extension
$(B)/taco_sqlite.so: bindings/sqlite/taco_sqlite.c bindings/names.h examples/system_codecs.h $(HEADERS)
	$(MODULE) $< $(BROTLI_LIBS) -lm -o $@
sqlite-module: $(B)/taco_sqlite.so
# Not linked with GDAL: its symbols are resolved in the program that loads the plugin.
$(B)/gdal_taco.so: bindings/gdal/gdal_taco.c examples/system_codecs.h $(HEADERS)
	$(MODULE) $(GDAL_CC) $< $(BROTLI_LIBS) -o $@
gdal-plugin: $(B)/gdal_taco.so

# Three generations of DuckDB, each in its own environment; arrow-env has the newest.
$(B)/duckdb-%/ready:
	python3 -m venv $(@D)
	$(@D)/bin/pip install -q --disable-pip-version-check duckdb==$* pyarrow==26.0.1
	@touch $@
$(B)/gcc4/taco.duckdb_extension: override PLATFORM := $(PLATFORM)_gcc4
ENGINES = $(B)/taco $(B)/taco.duckdb_extension $(B)/gcc4/taco.duckdb_extension $(B)/taco_sqlite.so \
          $(B)/arrow-env/ready $(B)/duckdb-1.2.0/ready $(B)/duckdb-1.5.5/ready
# STEP=N uses every Nth file of the corpus. Two pairs run at a time.
interop-engines: $(ENGINES)
	@printf '%s\n' 'arrow-env duckdb $(B)/taco.duckdb_extension' 'duckdb-1.5.5 duckdb $(B)/taco.duckdb_extension' \
	    'arrow-env sqlite $(B)/taco_sqlite' 'duckdb-1.2.0 duckdb $(B)/gcc4/taco.duckdb_extension' | \
	    xargs -P 2 -L 1 sh -c '$(B)/$$0/bin/python tests/interop/engines.py $$1 $$2 $(B)/taco $(SHARED) \
	        $(STEP) >$(B)/engines-$$0-$$1.log 2>&1; s=$$?; grep -v "^warning" $(B)/engines-$$0-$$1.log; exit $$s'

# ---- benchmarks: ratios to a peer in the same run; DIR is for large generated inputs --------------------------------

# One table of everything, kept in build/bench.md. PYTHON is the one installed by `reference_env.sh v2`.
bench: $(B)/taco
	@$(PYTHON) bench/short.py $(B)/taco $(PYTHON) $(SHARED) $(or $(DIR),$(B)/bench_short) --out $(B)/bench.md
bench-query: $(B)/taco
	@sh bench/query.sh $(DIR)
bench-sql: $(HEADERS)
	@CC="$(CC)" CFLAGS="$(CFLAGS)" sh bench/sql.sh $(DIR)
bench-parquet: $(HEADERS)
	@CC="$(CC)" CFLAGS="$(CFLAGS)" sh bench/parquet.sh $(DIR)
# Run `.ci/run python-wheel` first. PYTHON is the one of reference_env.sh v2, DIR an archive made by make_big.py.
bench-wheel:
	@python3 bench/wheel.py $(PYTHON) $(CURDIR)/$(B)/python/target $(DIR) $(R)
bench-rasteret: $(B)/taco
	@sh bench/rasteret.sh $(PYTHON)
$(B)/bench_encode: bench/encode.c $(HEADERS)
	$(CC) -std=c99 $(CFLAGS) $(filter-out $(DEAD),$(WARN)) $< -o $@ -lzstd -llz4 -lsnappy
bench-encode: $(B)/bench_encode
	$(B)/bench_encode $(PAGES) $(or $(R),5)
# PYTHON needs rasterio, and torch and tacoreader for the third variant. The archive is made in DIR.
$(B)/train_loader: examples/train_loader.c examples/prefetch.h tool/pool.c tool/pool.h $(HEADERS)
	$(CC) -std=c99 $(CFLAGS) $(filter-out $(DEAD),$(WARN)) $< tool/pool.c $(GDAL_LIBS) -pthread -o $@
bench-train: $(B)/taco $(B)/train_loader
	$(PYTHON) bench/train.py $(B)/train_loader $(B)/taco $(DIR) $(or $(N),2000) $(or $(R),3)
# PYTHON: from the reference's environment.
bench-stats: $(B)/taco $(B)/taco-gdal
	$(PYTHON) bench/gdal_stats.py $(B)/taco $(or $(DIR),$(B)/bench/stats)
# Needs mpicc from any MPI 3 implementation.
MPI = $(addprefix $(B)/mpi/,scan read stats create catalogue)
$(MPI): $(B)/mpi/%: examples/mpi/%.c examples/mpi/mpi_taco.h $(B)/obj/libtaco.a
	@mkdir -p $(@D)
	mpicc -std=c99 -D_POSIX_C_SOURCE=200809L $(CFLAGS) $(filter-out $(DEAD),$(WARN)) $< $(B)/obj/libtaco.a -o $@
mpi: $(MPI)
$(B)/mpi/one_file: bench/one_file.c
	@mkdir -p $(@D)
	$(CC) -std=c99 $(CFLAGS) $(WARN) $< -o $@
bench-mpi: $(B)/taco $(MPI) $(B)/mpi/one_file
	@$(PYTHON) tests/interop/mpi.py $(B)/taco $(B)/mpi $(or $(DIR),$(B)/bench_mpi) --bench
$(B)/bench_catalogue: bench/catalogue.c tool/pool.c tool/pool.h $(B)/obj/libtaco.a
	$(CC) -std=c99 $(CFLAGS) $(filter-out $(DEAD),$(WARN)) $< tool/pool.c $(B)/obj/libtaco.a -pthread -o $@
# COUNTS='100 10000': numbers of archives; DIR needs room for 500 MB of metadata.
bench-catalogue: $(B)/bench_catalogue
	@$(PYTHON) bench/catalogue.py $< $(or $(DIR),$(B)) $(COUNTS)
bench-scale: $(B)/taco
	@$(PYTHON) bench/scale.py $< $(or $(DIR),$(B)/bench_scale) $(or $(ROWS),1000000 10000000)
bench-metadata: $(B)/taco $(B)/bench_encode
	@test "$(PAGES)" || $(PYTHON) bench/pages.py $(B)/taco $(B)/level0.pages
	$(B)/bench_encode $(or $(PAGES),$(B)/level0.pages) $(or $(R),5) check
# Copies Parquet files, compared with polars, pyarrow and DuckDB. PYTHON is the one installed by `reference_env.sh v2`.
bench-write: $(B)/taco
	@$(PYTHON) bench/write.py $(B)/taco $(PYTHON) $(FILES)
bench-create: $(B)/taco
	$(PYTHON) bench/create.py $(B)/taco $(DIR) --run 20000 100000
	$(PYTHON) bench/create.py $(B)/taco $(DIR) --run 200000 1000

# ---- other targets --------------------------------------------------------------------------------------------------

FORMATTED = $(PARTS) $(wildcard tool/*.[ch] bindings/*.h bindings/*/*.c bindings/python/native/*.[ch] bindings/browser/native/*.c packaging/*.c packaging/*/*.c examples/*.[ch] examples/*/*.[ch] tests/*.[ch] tests/*.cpp \
              tests/interop/*.c fuzz/*.[ch] bench/*.[ch])
format:
	@clang-format -i $(FORMATTED)
formatted:
	@clang-format --dry-run -Werror $(FORMATTED)

include packaging/packaging.mk
include bindings/browser/browser.mk

clean:
	rm -rf $(B)

help:
	@echo 'make                 build/taco (the command line), build/probe, the examples'
	@echo 'make demo            opens a bundled dataset, filters it, prints the paths GDAL opens'
	@echo 'make test            builds and runs every test, with ASan and UBSan where the compiler has them'
	@echo 'make docs            build/docs/html: pages of the headers and guides, with an index of all symbols (doxygen)'
	@echo 'make headers         puts taco.h and the others together from src/'
	@echo 'make check           the rules of the house; every compiler, language level and switch; formatting'
	@echo 'make analyze N= SEED=   gcc -fanalyzer, clang --analyze, clang-tidy and cppcheck on every source, or on N of them'
	@echo 'make check-machines M= T=   tests and tool on s390x, ppc64, mips, arm, i686, musl, Windows, WASI, ..., in emulators; M and T choose machines and tests'
	@echo 'make frames          the stack that each function takes, and what ends calls that go in a circle (gcc)'
	@echo 'make format          clang-format over all sources'
	@echo 'make switches             answers and refusals with each TACO_NO_ switch, and with all of them'
	@echo 'make sizes-check          the same, compared with docs/sizes.md'
	@echo 'make sizes                docs/sizes.md: bytes of code on several machines, by parts of the library'
	@echo 'make embedded             examples/embedded on a Cortex-M3 in QEMU (needs gcc-arm-none-eabi, qemu-system-arm)'
	@echo 'make test-small           the tests of codecs, Parquet and queries with TACO_SMALL'
	@echo 'make test-system-codecs   the tests with libzstd, zlib, snappy, lz4 and libbrotlidec in place of our decoders'
	@echo 'make fuzz T=name S=60     one libFuzzer target for so many seconds;  make replay  every kept crasher; make fuzz-all S=60  all targets'
	@echo 'make fuzz-reach S=0 LEAST=85   what the targets reach of each source that parses, with what S seconds more of each find; executions a second'
	@echo 'make duckdb-extension     build/taco.duckdb_extension: LOAD it, then SELECT * FROM read_taco(...) (needs curl)'
	@echo 'make wasm                  the WebAssembly modules of bindings/browser (needs clang, lld);  make wasm-size  what a page downloads'
	@echo 'make explorer             the page of bindings/browser (needs Node 20);  make serve DATA=dir  runs it'
	@echo 'make test-browser         both in Node and Chromium;  make bench-browser  beside hyparquet and parquet-wasm'
	@echo 'make sqlite-module        build/taco_sqlite.so: .load build/taco_sqlite (needs libsqlite3-dev)'
	@echo 'make gdal-plugin          build/gdal_taco.so: GDAL_DRIVER_PATH=build gdalinfo /vsitaco/... (needs libgdal-dev)'
	@echo 'make interop-engines      both of them in DuckDB 1.2, 1.5, 2 and the sqlite3 shell, over ../shared'
	@echo 'make interop-arrow        the Arrow streams in pyarrow, DuckDB, polars and nanoarrow, over ../shared'
	@echo 'make races N=200          writers at work on one output at the same time, N times each pair'
	@echo 'make strict               damaged files through every command that could read them, with --strict-limits'
	@echo 'make growth               how time grows with inputs of n, 2n, 4n and 8n; steeper than n log n is a failure'
	@echo 'make power N=40             every writer, with the power cut after each of its operations, N mixed states each'
	@echo 'make mutate N=100 SEED=1 OWN=  faults planted in src/, one at a time, and which of them no test notices; OWN=1: by tests that include the source'
	@echo 'make coverage LEAST=90      what make test reaches: functions, lines and branches by header and file, and build/coverage/html'
	@echo 'make interop-rasteret PY03=... PY04=...   collections in real rasteret'
	@echo 'make bench PYTHON=...       one table in ten minutes: start, two threads beside one, Parquet files beside their peers'
	@echo 'make bench-query DIR=...    queries here and with the reference, side by side'
	@echo 'make bench-sql DIR=...      queries in one process beside DuckDB, polars and pyarrow; two threads; warm'
	@echo 'make bench-parquet DIR=...  columns and codecs beside pyarrow, DuckDB, polars, libzstd, zlib, ...'
	@echo 'make bench-encode PAGES=... our encoders beside libzstd, libsnappy and liblz4'
	@echo 'make bench-metadata         the default ZSTD level against libzstd -13 on the pages of a level table'
	@echo 'make bench-write PYTHON=... FILES=...   Parquet files copied, beside polars, pyarrow and DuckDB'
	@echo 'make bench-create DIR=/dev/shm/x PYTHON=...   archives of many files, beside cat and the reference'
	@echo 'make mpi                 build/mpi/scan, read, stats, create, catalogue (needs mpicc);  make bench-mpi: how they scale'
	@echo 'make bench-catalogue        catalogues of 100 and 10,000 archives: seconds, memory, files, bytes'
	@echo 'make bench-scale PYTHON=... DIR=... ROWS="1000000 100000000"   queries on ever more rows, beside DuckDB'
	@echo 'make bench-train PYTHON=... DIR=/tmp/x   batches for training beside GDAL and torch'
	@echo 'make bench-rasteret PYTHON=...'
	@echo 'make bench-stats PYTHON=... statistics of bands beside the reference and gdalinfo'
	@echo 'make bench-wheel PYTHON=... DIR=ARCHIVE   the Python package beside tacoreader'
	@echo 'make lib                 build/lib: libtaco_h, static and shared;  make check-packages  a program with each package'
	@echo 'make install PREFIX= DESTDIR=, uninstall;  make dist  the release and its checksum;  make clean'

-include $(shell find $(B)/obj $(B)/san -name '*.d' 2>/dev/null) $(wildcard $(B)/tests/*.d $(B)/*.d)

, := ,
.PHONY: all docs examples demo headers test test-small embedded sizes sizes-check switches test-system-codecs check check-machines replay frames analyze fuzz fuzz-all fuzz-reach races strict growth power mutate coverage interop-rasteret interop-arrow duckdb-extension \
        sqlite-module gdal-plugin interop-engines bench bench-query bench-sql bench-parquet bench-rasteret bench-encode bench-metadata \
        bench-create bench-write bench-wheel bench-stats mpi bench-train bench-mpi bench-catalogue bench-scale format formatted lib manuals install uninstall dist check-packages clean help FORCE
