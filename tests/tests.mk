# tests.mk - included by the Makefile: the library with sanitizers, the tests, and other checks of the sources.

# ---- the library and the tool with sanitizers, compiled once for all tests -------------------------------------------

# Tests link a shared library where they can, which takes a fifth of the time, and no time when only the library changed.
# Visible symbols, because a test that includes a source has its functions take the place of the library's.
C99_SAN  = $(CALL)$(CCACHE) $(CC) -std=c99 -g1 -fdebug-prefix-map=$(CURDIR)=. $(SANITIZE) $(WARN) -I. -MMD -MP $(if $(SHARED_TESTS),-fPIC -DTACO__VISIBLE)
SAN_LIB  = $(B)/san/libtaco.$(if $(SHARED_TESTS),so,a)

# Tests of codecs are slow without optimisation; everything else compiles faster without it.
$(B)/san/%.o: SAN_OPT = -O0
$(B)/san/codec/%.o $(B)/san/base/%.o: SAN_OPT = -O1 -fno-omit-frame-pointer
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
	$(call CALL,LD)$(CC) $(SANITIZE) $^ $(BROTLI_LIBS) $(CURL_TOOL) $(THREAD_LIBS) $(SYSTEM_LIBS) -o $@
$(B)/san/libtaco.so: $(OBJECTS:%=$(B)/san/%)
	$(call CALL,LD)$(CC) $(SANITIZE) -shared -Wl,-soname,libtaco.so $^ $(SYSTEM_LIBS) -o $@
# The tool with GDAL for its test, in the folder where the plain tool looks for it.
$(B)/san/gdal/%.o: src/gdal/%.c
	@mkdir -p $(@D)
	$(C99_SAN) -O0 $(GDAL_CC) -c $< -o $@
$(B)/san/tool/gdal-with.o: tool/gdal.c
	@mkdir -p $(@D)
	$(C99_SAN) -O0 $(TOOL_CC) -DWITH_GDAL -D_LARGEFILE64_SOURCE $(GDAL_CC) -c $< -o $@
$(B)/san/taco-gdal: $(filter-out %/gdal.o,$(TOOL:%.c=$(B)/san/%.o)) $(B)/san/tool/gdal-with.o $(GDAL_SOURCES:src/%.c=$(B)/san/%.o) \
                    $(B)/san/brotli.o $(B)/san/libtaco.a $(B)/taco-san
	$(call CALL,LD)$(CC) $(SANITIZE) $(filter %.o %.a,$^) $(BROTLI_LIBS) $(CURL_TOOL) $(THREAD_LIBS) $(SYSTEM_LIBS) $(filter -l% -L%,$(GDAL_LIBS)) -o $@
	@ln -f $(B)/taco-san $(B)/san/taco
$(B)/san/probe.o: tests/probe.c
	@mkdir -p $(@D)
	$(C99_SAN) -O0 $(filter -D% -I%,$(BROTLI_LIBS)) $(SYSTEM_CC) -c $< -o $@
$(B)/probe-san: $(B)/san/probe.o $(B)/san/brotli.o $(B)/san/libtaco.a
	$(call CALL,LD)$(CC) $(SANITIZE) $^ $(BROTLI_LIBS) $(SYSTEM_LIBS) -o $@

# ---- tests ----------------------------------------------------------------------------------------------------------

TESTS = $(patsubst tests/%.c,$(B)/tests/%,$(filter-out $(if $(GDAL_LIBS),,tests/test_gdal.c),$(wildcard tests/test_*.c))) $(if $(HAVE_CXX),$(B)/tests/test_cpp)
TEST_EXAMPLES = $(EXAMPLES:$(B)/%=$(B)/san/examples/%)

test: $(B)/taco-san $(if $(GDAL_LIBS),$(B)/san/taco-gdal) $(TESTS) $(B)/probe-san $(TEST_EXAMPLES)
	@$(if $(HAVE_CXX),:,echo "SKIPPED tests/test_cpp.cpp: no C++ compiler ($(CXX))")
	@$(if $(GDAL_LIBS),:,echo "SKIPPED tests/test_gdal.c: no GDAL 3.6 or newer with its headers")
	@$(if $(SANITIZE)$(filter command,$(origin SANITIZE)),:,echo "SKIPPED sanitizers: $(CC) has no -fsanitize=address$(,)undefined; tests run without")
	@$(TEST_ENV) sh tests/run.sh $(TESTS)
test: $(B)/san/libtaco.a
TEST_ENV = TACO=$(B)/taco-san PROBE=$(B)/probe-san EXAMPLES=$(B)/san/examples LIBTACO=$(B)/san/libtaco.a LIBS="$(SYSTEM_LIBS)" \
           CC="$(CC)" SANITIZE="$(SANITIZE)"
# make test-one T=expr, T=test_expr or T=tests/test_cli.sh: one program, or one shell test with what it runs, as `make test` does.
ONE       = test_$(patsubst test_%,%,$(basename $(notdir $(T))))
ONE_SHELL = $(wildcard tests/$(ONE).sh)
test-one: $(if $(ONE_SHELL),$(B)/taco-san $(if $(GDAL_LIBS),$(B)/san/taco-gdal) $(B)/probe-san $(TEST_EXAMPLES) $(B)/san/libtaco.a,$(B)/tests/$(ONE))
	@$(TEST_ENV) ONE=yes SHELL_TESTS=no sh tests/run.sh $(or $(ONE_SHELL),$(B)/tests/$(ONE))
# And what `make test` samples: programs that ask test_all().
test-all: test
	@TEST_ALL=1 MOST_SECONDS= SHELL_TESTS=no sh tests/run.sh $(filter $(patsubst tests/%.c,$(B)/tests/%,$(shell grep -lE 'test_all\(\)|"(places|works)\.h"' tests/test_*.c)),$(TESTS))

# A test of a source includes it, to reach its static functions; everything else comes from the library.
LINKED = $(filter-out %/test_codecs %/test_cpp,$(TESTS))
$(LINKED:%=%.o): TEST_OPT = -O0
$(LINKED:%=%.o): | $(B)/headers
$(patsubst %,$(B)/tests/test_%.o,enc zstd zstd_enc encode flate lz4 snappy hash bits prune): TEST_OPT = -O1
$(B)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(C99_SAN) $(TEST_OPT) $(SYSTEM_CC) $(TEST_CC) -c $< -o $@
$(LINKED): $(B)/tests/%: $(B)/tests/%.o $(if $(SHARED_TESTS),| )$(SAN_LIB)
	$(call CALL,LD)$(CC) $(SANITIZE) $(filter %.o,$^) $(SAN_LIB) $(if $(SHARED_TESTS),-rdynamic -Wl$(,)-rpath$(,)'$$ORIGIN/../san') $(SYSTEM_LIBS) $(TEST_LIBS) -o $@
# Those with threads link the tool's pool, that of GDAL the sources of taco_gdal.h as well.
POOLED = $(addprefix $(B)/tests/test_,threads parallel sql_tasks write_tasks gdal)
$(POOLED): $(if $(THREAD_LIBS),$(B)/san/tool/pool.o)
$(POOLED:%=%.o): TEST_CC = $(filter-out -l%,$(THREAD_LIBS))
$(POOLED): TEST_LIBS = $(THREAD_LIBS)
$(B)/tests/test_gdal.o: TEST_CC = $(filter-out -l%,$(THREAD_LIBS)) $(GDAL_CC)
$(B)/tests/test_gdal: TEST_LIBS = $(THREAD_LIBS) $(filter -l% -L%,$(GDAL_LIBS))
$(B)/tests/test_gdal: $(GDAL_SOURCES:src/%.c=$(B)/san/%.o)
# Its replacements of C library functions need dlsym.
$(B)/tests/test_write_faults: TEST_LIBS = $(DL_LIBS)
# Linked with all of the tool but main.
$(B)/tests/test_options.o: TEST_CC = $(TOOL_CC)
$(B)/tests/test_options: TEST_LIBS = $(BROTLI_LIBS) $(CURL_TOOL) $(THREAD_LIBS)
$(B)/tests/test_options: $(filter-out %/main.o,$(TOOL:%.c=$(B)/san/%.o))
# Two uses that only the headers support: decoders provided by the program, and C++.
$(B)/tests/test_codecs: tests/test_codecs.c tests/test.h $(HEADERS)
	@mkdir -p $(@D)
	$(CALL)$(CCACHE) $(CC) -std=c99 -g1 -O0 $(SANITIZE) $(filter-out $(DEAD),$(WARN)) -I. -DTACO_STATIC -c $< -o $@.o
	@$(CC) $(SANITIZE) $@.o -o $@
$(B)/tests/test_cpp: tests/test_cpp.cpp tests/test.h $(HEADERS)
	@mkdir -p $(@D)
	$(CALL)$(CCACHE) $(CXX) -std=c++11 -g1 -O0 $(if $(SANITIZE),-fsanitize=address) $(filter-out $(DEAD),$(WARN)) -I. -DTACO_STATIC -c $< -o $@.o
	@$(CXX) $(if $(SANITIZE),-fsanitize=address) $@.o -o $@
# The examples link the library as well; two are compiled from the headers alone, as users do.
AS_USERS = vendored create
$(B)/san/examples/gdal_stats: EXAMPLE_CC = $(GDAL_CC)
$(B)/san/examples/gdal_stats: EXAMPLE_LIBS = $(filter -l% -L%,$(GDAL_LIBS))
$(filter-out $(AS_USERS:%=$(B)/san/examples/%),$(TEST_EXAMPLES)): $(B)/san/examples/%: examples/%.c $(HEADERS) $(B)/san/libtaco.a
	@mkdir -p $(@D)
	$(CALL)$(CC) -std=c99 -O0 $(SANITIZE) $(filter-out $(DEAD),$(WARN)) -I. -DTACO__IMPLEMENTED -DTACO__PARQUET_IMPLEMENTED $(EXAMPLE_CC) $< \
	    $(B)/san/libtaco.a $(SYSTEM_LIBS) $(EXAMPLE_LIBS) -o $@
$(AS_USERS:%=$(B)/san/examples/%): $(B)/san/examples/%: $(B)/%
	@mkdir -p $(@D)
	@ln -f $< $@

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
# Everything that .ci/run does in part, whole; it goes on where it was stopped. Installs packages (Debian, root).
check-all:
	@WHOLE=1 bash .ci/run
# Stack frames of at most 8 KB, and bounded recursion; needs gcc.
frames:
	@$(PYTHON) tests/frames.py $(B)/frames
# Findings of four analyzers in every source, except those in tests/analyze.txt; N and SEED choose some sources.
analyze:
	@$(PYTHON) tests/analyze.py $(if $(N),--sample $(N)) --seed $(or $(SEED),1)
# The tests and the tool on other machines, in emulators; M and T choose some.
check-machines: $(B)/taco
	@TACO=$(B)/taco T="$(T)" sh tests/machines.sh $(M)
# Lines that implement clauses (tests/clauses.txt) disabled, a sample of N: the tests that docs/clauses.md names must notice.
mutate-clauses: $(B)/san/libtaco.a
	@CC="$(CC)" $(PYTHON) tests/clauses_mutate.py --dir $(B)/clauses --count $(or $(N),40) --seed $(or $(SEED),1)
# Mutation testing with N mutants: lists those that no test notices.
mutate:
	@CC="$(CC)" $(PYTHON) tests/mutate.py --dir $(B)/mutate --count $(or $(N),100) --seed $(or $(SEED),1) $(if $(OWN),--own)
# Coverage of `make test` by header and by file, in a separate build with gcc.
coverage:
	@find $(B)/coverage -name '*.gcda' -delete 2>/dev/null || :
	@$(MAKE) --no-print-directory B=$(B)/coverage CC=gcc SANITIZE='--coverage -DTACO__CALLS' CFLAGS=-O0 SAN_OPT=-O0 TEST_OPT=-O0 test
	@$(PYTHON) tests/coverage.py $(B)/coverage $(if $(LEAST),--least $(LEAST))
.PHONY: analyze check check-all check-machines coverage embedded frames mutate mutate-clauses sizes sizes-check switches test test-all test-one test-small test-system-codecs
