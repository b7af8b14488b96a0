# make          builds build/taco, build/probe and the examples
# make demo     opens a bundled dataset, filters it, prints the paths GDAL opens
# make test     builds and runs every test (ASan and UBSan where the compiler has them)
# make check    warnings on every compiler, language level and switch; room rules; symbols; formatting
# make fuzz T=name S=seconds    runs one libFuzzer target;  make replay  runs every kept crasher
# make bench-query DIR=...      the same queries here and with the reference, side by side
# make bench-encode PAGES=...   our encoders beside libzstd, libsnappy and liblz4, where those are installed
# make format   make install PREFIX= DESTDIR=   make clean

CC      ?= cc
CXX     ?= c++
CFLAGS  ?= -O2
PREFIX  ?= /usr/local
DESTDIR ?=

WARN    = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef
HEADERS = taco.h taco_parquet.h
B       = build

# What this machine has: sanitizers count only when a program built with them runs.
SANITIZE := $(shell mkdir -p $(B) && echo 'int main(void){return 0;}' > $(B)/san.c && \
              $(CC) -fsanitize=address,undefined $(B)/san.c -o $(B)/san 2>/dev/null && $(B)/san && \
              echo '-fsanitize=address,undefined -fno-sanitize-recover=all')
HAVE_CXX := $(shell mkdir -p $(B) && echo 'int main(){return 0;}' > $(B)/cxx.cpp && \
              $(CXX) $(SANITIZE) $(B)/cxx.cpp -o $(B)/cxx 2>/dev/null && $(B)/cxx && echo yes)

EXAMPLES = $(B)/query $(B)/column $(B)/vendored
TESTS    = $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/test_*.c)) $(if $(HAVE_CXX),$(B)/tests/test_cpp)
# A test needs a few rooms: as static functions, the compiler drops the rest before it generates code.
# Those of the public API need nearly all of it: without the optimiser they build in half the time.
OPT       = -O1
TESTFLAGS = -g $(OPT) -DTACO_STATIC $(SANITIZE) $(WARN)

$(addprefix $(B)/tests/test_,query nav reads faults read errors cpp): OPT = -O0

all: $(B)/taco $(B)/probe $(EXAMPLES)

$(B)/taco: examples/taco.c $(HEADERS)
	@mkdir -p $(B)
	$(CC) -std=c99 $(CFLAGS) $(WARN) examples/taco.c -o $@

$(B)/probe: tests/probe.c $(HEADERS)
	@mkdir -p $(B)
	$(CC) -std=c99 $(CFLAGS) $(WARN) tests/probe.c -o $@

$(B)/taco-san: examples/taco.c $(HEADERS)
	@mkdir -p $(B)
	$(CC) -std=c99 $(TESTFLAGS) examples/taco.c -o $@

$(B)/probe-san: tests/probe.c $(HEADERS)
	@mkdir -p $(B)
	$(CC) -std=c99 $(TESTFLAGS) tests/probe.c -o $@

$(B)/query $(B)/column $(B)/vendored: $(B)/%: examples/%.c $(HEADERS)
	@mkdir -p $(B)
	$(CC) -std=c99 $(CFLAGS) $(WARN) $< -o $@

$(B)/tests/test_cpp: tests/test_cpp.cpp tests/test.h $(HEADERS)
	@mkdir -p $(B)/tests
	$(CXX) -std=c++11 $(TESTFLAGS) tests/test_cpp.cpp -o $@

$(B)/tests/%: tests/%.c tests/test.h $(wildcard tests/*.h) $(HEADERS)
	@mkdir -p $(B)/tests
	$(CC) -std=c99 $(TESTFLAGS) $< -o $@

demo: $(B)/taco
	@sh examples/demo.sh $(B)/taco

test: $(TESTS) $(B)/taco-san $(B)/probe-san $(EXAMPLES)
	@$(if $(HAVE_CXX),:,echo "SKIPPED tests/test_cpp.cpp: no C++ compiler ($(CXX))")
	@$(if $(SANITIZE),:,echo "SKIPPED sanitizers: $(CC) has no -fsanitize=address$(,)undefined; tests run without")
	@TACO=$(B)/taco-san PROBE=$(B)/probe-san EXAMPLES=$(B) sh tests/run.sh $(TESTS)

check:
	@sh tests/rooms.sh
	@CC="$(CC)" sh tests/matrix.sh

replay:
	@CC="$(CC)" sh tests/crashers.sh

fuzz:
	@sh fuzz/run.sh $(T) $(or $(S),60)

bench-query: $(B)/taco
	@sh bench/query.sh $(DIR)

bench-encode: bench/encode.c $(HEADERS)
	@mkdir -p $(B)
	$(CC) -std=c99 $(CFLAGS) $(WARN) bench/encode.c -o $(B)/bench_encode -lzstd -llz4 -lsnappy
	$(B)/bench_encode $(PAGES) $(or $(R),5)

format:
	clang-format -i $(HEADERS) examples/*.c tests/*.c tests/*.h tests/*.cpp fuzz/*.c

install: $(B)/taco
	mkdir -p "$(DESTDIR)$(PREFIX)/include" "$(DESTDIR)$(PREFIX)/bin"
	install -m 644 $(HEADERS) "$(DESTDIR)$(PREFIX)/include/"
	install -m 755 $(B)/taco "$(DESTDIR)$(PREFIX)/bin/taco"

clean:
	rm -rf $(B)

, := ,
.PHONY: all demo test check replay fuzz bench-query bench-encode format install clean
