# make          builds build/taco, build/probe and the examples
# make demo     opens a bundled dataset, filters it, prints the paths GDAL opens
# make test     builds and runs every test (ASan and UBSan where the compiler has them)
# make test-system-codecs  the same with libzstd, zlib, snappy, lz4 and libbrotlidec in place of our decoders
# make check    warnings on every compiler, language level and switch; room rules; symbols; formatting
# make fuzz T=name S=seconds    runs one libFuzzer target;  make replay  runs every kept crasher
# make bench-query DIR=...      the same queries here and with the reference, side by side
# make bench-sql DIR=...        queries in one process and one thread beside DuckDB, polars and pyarrow; two threads; warm
# make duckdb-extension         build/taco.duckdb_extension: LOAD it, then SELECT * FROM read_taco('x.tacozip') (needs curl)
# make sqlite-module            build/taco_sqlite.so: .load build/taco_sqlite (needs libsqlite3-dev)
# make interop-engines          both of them in DuckDB 1.2, 1.5, 2 and the sqlite3 shell, over ../shared
# make interop-arrow            the Arrow streams in pyarrow, DuckDB, polars and nanoarrow, over ../shared
# make bench-parquet DIR=...    columns and codecs here and with pyarrow, DuckDB, polars, libzstd, zlib, ..., side by side
# make bench-rasteret PYTHON=...   make interop-rasteret PY03=... PY04=...   with real rasteret (tests/interop/rasteret.py)
# make bench-encode PAGES=...   our encoders beside libzstd, libsnappy and liblz4, where those are installed
# make bench-metadata [PAGES=]  the default ZSTD level against libzstd -13 on the pages of a level0.parquet: size and speed
# make bench-create DIR=/dev/shm/x PYTHON=...   archives of many files, beside cat and the reference's writers
# make format   make install PREFIX= DESTDIR=   make clean

CC      ?= cc
CXX     ?= c++
CFLAGS  ?= -O2
PREFIX  ?= /usr/local
DESTDIR ?=

WARN    = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef
HEADERS = taco.h taco_parquet.h taco_tiff.h taco_write.h taco_legacy.h taco_rasteret.h taco_publish.h
B       = build

# What this machine has: sanitizers count only when a program built with them runs.
SANITIZE := $(shell mkdir -p $(B) && echo 'int main(void){return 0;}' > $(B)/san.c && \
              $(CC) -fsanitize=address,undefined $(B)/san.c -o $(B)/san 2>/dev/null && $(B)/san && \
              echo '-fsanitize=address,undefined -fno-sanitize-recover=all')
HAVE_CXX := $(shell mkdir -p $(B) && echo 'int main(){return 0;}' > $(B)/cxx.cpp && \
              $(CXX) $(SANITIZE) $(B)/cxx.cpp -o $(B)/cxx 2>/dev/null && $(B)/cxx && echo yes)

# libbrotlidec, for the tool and the probe: what the compiler can link is there. `make BROTLI=no` goes without.
ifneq ($(BROTLI),no)
BROTLI_LIBS := $(shell mkdir -p $(B) && echo 'int main(void){return !BrotliDecoderVersion();}' > $(B)/brotli.c && \
                 for l in "$$(pkg-config --cflags --libs libbrotlidec 2>/dev/null)" "-lbrotlidec -lbrotlicommon"; do \
                 test "$$l" && $(CC) -include brotli/decode.h $(B)/brotli.c $$l -o $(B)/brotli 2>/dev/null && \
                 { echo "-DSYSTEM_BROTLI $$l"; break; }; done)
endif

# POSIX threads, for the tool and their test. `make THREADS=no` goes without.
ifneq ($(THREADS),no)
THREAD_LIBS := $(shell mkdir -p $(B) && echo 'int main(void){pthread_t t;(void)t;return !sysconf(_SC_NPROCESSORS_ONLN);}' > $(B)/threads.c && \
                 $(CC) -D_POSIX_C_SOURCE=200809L -include pthread.h -include unistd.h $(B)/threads.c -pthread -o $(B)/threads 2>/dev/null && \
                 echo "-DWITH_THREADS -pthread")
endif

EXAMPLES = $(B)/query $(B)/column $(B)/arrow $(B)/vendored $(B)/create
TESTS    = $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/test_*.c)) $(if $(HAVE_CXX),$(B)/tests/test_cpp)
# A test that defines no implementation is linked with one that is compiled once. A test of rooms has its own, of static
# functions: with -Og the compiler drops those it does not need, before it generates the sanitizers' code. Codecs compute
# for long.
LINKED    = $(patsubst tests/%.c,$(B)/tests/%,$(shell grep -L 'define TACO_.*IMPLEMENTATION' tests/test_*.c))
OPT       = -Og
TESTFLAGS = -g $(OPT) -DTACO_STATIC $(SANITIZE) $(WARN)

$(addprefix $(B)/tests/test_,enc zstd zstd_enc encode flate lz4 snappy hash): OPT = -O1
# Nearly everything is needed here: -O0 compiles that faster, and twice as fast without UBSan, which library.o, the tool and
# the fuzzers have.
WHOLE = $(addprefix $(B)/tests/test_,aggr arrow cpp describe foot gather keep legacy make merge prune rasteret read scale sql threads verify views write)
$(WHOLE) $(B)/taco-san: OPT = -O0
$(WHOLE): SANITIZE := $(if $(SANITIZE),-fsanitize=address)

all: $(B)/taco $(B)/probe $(EXAMPLES)

$(B)/taco $(B)/taco-san: examples/taco.c $(wildcard examples/*.h) $(HEADERS)
$(B)/probe $(B)/probe-san: tests/probe.c examples/system_codecs.h $(HEADERS)

$(B)/taco $(B)/probe:
	@mkdir -p $(B)
	$(CC) -std=c99 $(CFLAGS) $(WARN) $< $(BROTLI_LIBS) $(THREAD_LIBS) -o $@

$(B)/taco-san $(B)/probe-san:
	@mkdir -p $(B)
	$(CC) -std=c99 $(TESTFLAGS) $< $(BROTLI_LIBS) $(THREAD_LIBS) $(SYSTEM) -o $@

# Small programs, which -O1 compiles in half the time.
$(B)/query $(B)/column $(B)/arrow $(B)/vendored $(B)/create: $(B)/%: examples/%.c $(HEADERS)
	@mkdir -p $(B)
	$(CC) -std=c99 $(CFLAGS) -O1 $(WARN) $< -o $@

$(B)/tests/test_cpp: tests/test_cpp.cpp tests/test.h $(HEADERS)
	@mkdir -p $(B)/tests
	$(CXX) -std=c++11 $(TESTFLAGS) tests/test_cpp.cpp $(SYSTEM) -o $@

# These are about the insides of our own decoders and CRC, and what they say of damage, or bring decoders along.
$(addprefix $(B)/tests/test_,flate hash lz4 snappy zstd codecs): override SYSTEM =

$(B)/tests/test_threads: examples/pool.h
$(B)/tests/test_threads: override SYSTEM += $(THREAD_LIBS)
$(B)/tests/library.o: tests/library.c $(HEADERS)
	@mkdir -p $(B)/tests
	$(CC) -std=c99 -g -O0 $(SANITIZE) -c $< $(SYSTEM) -o $@
$(LINKED): $(B)/tests/%: tests/%.c tests/test.h $(wildcard tests/*.h) $(B)/tests/library.o
	$(CC) -std=c99 -g -O0 $(SANITIZE) $(WARN) $< $(B)/tests/library.o $(SYSTEM) -o $@
$(B)/tests/%: tests/%.c tests/test.h $(wildcard tests/*.h) $(HEADERS)
	@mkdir -p $(B)/tests
	$(CC) -std=c99 $(TESTFLAGS) $< $(SYSTEM) -o $@

demo: $(B)/taco
	@sh examples/demo.sh $(B)/taco

test: $(B)/taco-san $(TESTS) $(B)/probe-san $(EXAMPLES)
	@$(if $(HAVE_CXX),:,echo "SKIPPED tests/test_cpp.cpp: no C++ compiler ($(CXX))")
	@$(if $(SANITIZE)$(filter command,$(origin SANITIZE)),:,echo "SKIPPED sanitizers: $(CC) has no -fsanitize=address$(,)undefined; tests run without")
	@TACO=$(B)/taco-san PROBE=$(B)/probe-san EXAMPLES=$(B) sh tests/run.sh $(TESTS)

SYSTEM_CODECS = -D_POSIX_C_SOURCE=200809L -DSYSTEM_BROTLI -DSYSTEM_ZSTD -DSYSTEM_ZLIB -DSYSTEM_SNAPPY -DSYSTEM_LZ4 \
                -include examples/system_codecs.h -lbrotlidec -lzstd -lz -lsnappy -llz4
test-system-codecs:
	@$(MAKE) --no-print-directory B=$(B)/system BROTLI=no SYSTEM='$(SYSTEM_CODECS)' test

check:
	@sh tests/rooms.sh
	@CC="$(CC)" sh tests/matrix.sh

replay:
	@CC="$(CC)" sh tests/crashers.sh

fuzz:
	@sh fuzz/run.sh $(T) $(or $(S),60)

bench-rasteret: $(B)/taco
	@sh bench/rasteret.sh $(PYTHON)

interop-rasteret: $(B)/taco
	@python3 tests/interop/rasteret.py $(B)/taco $(or $(SHARED),../shared) $(PY03) $(PY04)

bench-query: $(B)/taco
	@sh bench/query.sh $(DIR)
bench-sql:
	@CC="$(CC)" CFLAGS="$(CFLAGS)" sh bench/sql.sh $(DIR)

# Python packages of a pinned version, in a place of their own.
$(B)/arrow-env/ready: tests/interop/requirements.txt
	python3 -m venv $(B)/arrow-env
	$(B)/arrow-env/bin/pip install -q --disable-pip-version-check -r tests/interop/requirements.txt
	@touch $@

$(B)/libtaco_stream.so: tests/interop/stream.c examples/system_codecs.h $(HEADERS)
	@mkdir -p $(B)
	$(CC) -std=c99 -O1 -g -shared -fPIC $(WARN) $< $(BROTLI_LIBS) -o $@

interop-arrow: $(B)/taco $(B)/libtaco_stream.so $(B)/arrow-env/ready
	@$(B)/arrow-env/bin/python tests/interop/arrow.py $(B)/libtaco_stream.so $(B)/taco $(or $(SHARED),../shared)

# What `PRAGMA platform` says in DuckDB: a binary is for one. Older Python wheels of Linux call theirs linux_amd64_gcc4.
PLATFORM ?= $(shell os=$$(uname -s | sed 's/Darwin/osx/; s/Linux/linux/; s/MINGW.*/windows/'); \
              cpu=$$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/'); echo $${os}_$$cpu)
VERSION := v$(shell sed -n 's/^\#define TACO_VERSION  *"\(.*\)"/\1/p' taco_parquet.h)
MODULE   = -std=c99 $(CFLAGS) $(WARN) -shared -fPIC -fvisibility=hidden

$(B)/duckdb/duckdb_extension.h: examples/duckdb/headers.sh
	sh examples/duckdb/headers.sh $(B)/duckdb
	@touch $@
$(B)/taco_duckdb.so: examples/duckdb/read_taco.c examples/names.h examples/system_codecs.h $(HEADERS) $(B)/duckdb/duckdb_extension.h
	$(CC) $(MODULE) -isystem $(B)/duckdb $< $(BROTLI_LIBS) -o $@
$(B)/%.duckdb_extension: $(B)/taco_duckdb.so examples/duckdb/footer.sh
	@mkdir -p $(@D)
	sh examples/duckdb/footer.sh $< $@ $(PLATFORM) $(VERSION)
duckdb-extension: $(B)/taco.duckdb_extension

$(B)/taco_sqlite.so: examples/sqlite/taco_sqlite.c examples/names.h examples/system_codecs.h $(HEADERS)
	@mkdir -p $(B)
	$(CC) $(MODULE) $< $(BROTLI_LIBS) -lm -o $@
sqlite-module: $(B)/taco_sqlite.so

# Three generations of DuckDB, each in an environment of its own; arrow-env has the newest.
$(B)/duckdb-%/ready:
	python3 -m venv $(@D)
	$(@D)/bin/pip install -q --disable-pip-version-check duckdb==$* pyarrow==26.0.1
	@touch $@
$(B)/gcc4/taco.duckdb_extension: override PLATFORM := $(PLATFORM)_gcc4
ENGINES = $(B)/taco $(B)/taco.duckdb_extension $(B)/gcc4/taco.duckdb_extension $(B)/taco_sqlite.so \
          $(B)/arrow-env/ready $(B)/duckdb-1.2.0/ready $(B)/duckdb-1.5.5/ready
# STEP=N takes every Nth file of the corpus. The pairs run side by side.
interop-engines: $(ENGINES)
	@printf '%s\n' 'arrow-env duckdb $(B)/taco.duckdb_extension' 'duckdb-1.5.5 duckdb $(B)/taco.duckdb_extension' \
	    'arrow-env sqlite $(B)/taco_sqlite' 'duckdb-1.2.0 duckdb $(B)/gcc4/taco.duckdb_extension' | \
	    xargs -P 2 -L 1 sh -c '$(B)/$$0/bin/python tests/interop/engines.py $$1 $$2 $(B)/taco $(or $(SHARED),../shared) \
	        $(STEP) >$(B)/engines-$$0-$$1.log 2>&1; s=$$?; grep -v "^warning" $(B)/engines-$$0-$$1.log; exit $$s'

bench-parquet:
	@CC="$(CC)" CFLAGS="$(CFLAGS)" sh bench/parquet.sh $(DIR)
bench-encode: bench/encode.c $(HEADERS)
	@mkdir -p $(B)
	$(CC) -std=c99 $(CFLAGS) $(WARN) bench/encode.c -o $(B)/bench_encode -lzstd -llz4 -lsnappy
	$(B)/bench_encode $(PAGES) $(or $(R),5)
bench-metadata: $(B)/taco bench/encode.c bench/pages.py $(HEADERS)
	@mkdir -p $(B)
	$(CC) -std=c99 $(CFLAGS) $(WARN) bench/encode.c -o $(B)/bench_encode -lzstd -llz4 -lsnappy
	@test "$(PAGES)" || $(or $(PYTHON),python3) bench/pages.py $(B)/taco $(B)/level0.pages
	$(B)/bench_encode $(or $(PAGES),$(B)/level0.pages) $(or $(R),5) check
bench-create: $(B)/taco
	$(or $(PYTHON),python3) bench/create.py $(B)/taco $(DIR) --run 20000 100000
	$(or $(PYTHON),python3) bench/create.py $(B)/taco $(DIR) --run 200000 1000

format:
	clang-format -i $(HEADERS) examples/*.c examples/*.h tests/*.c tests/*.h tests/*.cpp examples/*/*.c tests/interop/*.c fuzz/*.c fuzz/*.h

install: $(B)/taco
	mkdir -p "$(DESTDIR)$(PREFIX)/include" "$(DESTDIR)$(PREFIX)/bin"
	install -m 644 $(HEADERS) "$(DESTDIR)$(PREFIX)/include/"
	install -m 755 $(B)/taco "$(DESTDIR)$(PREFIX)/bin/taco"

clean:
	rm -rf $(B)

, := ,
.PHONY: all demo test test-system-codecs check replay fuzz bench-query bench-sql bench-parquet bench-encode bench-metadata bench-create bench-rasteret interop-rasteret interop-arrow duckdb-extension sqlite-module interop-engines format install clean
