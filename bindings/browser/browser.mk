# browser.mk - included by the Makefile: WebAssembly modules, their sizes, the explorer page and its tests.
# Requires clang with wasm32 and lld (apt: clang lld), Node 20 with npm, and chromium for test-browser.

WASM       = bindings/browser/wasm
WASM_CC   ?= clang
WASM_LD   ?= wasm-ld
# wasm-opt (apt: binaryen) saves about another 5 %; without it the modules stay as linked.
WASM_OPT  ?= $(shell command -v wasm-opt)
WASM_SHARED = bindings/browser/native/module.h bindings/browser/native/printer.h
WASM_LIBC  = $(wildcard bindings/browser/native/libc/*.h)
WASM_FLAGS = --target=wasm32 -std=c11 -ffreestanding -fvisibility=hidden -isystem bindings/browser/native/libc -I. \
             -mbulk-memory -msign-ext -mnontrapping-fptoint -Wall -Wextra -Wno-nonnull -DTACO_NO_TASKS -DTACO_NO_STDIO
WASM_LINK  = --no-entry --gc-sections --strip-all -z stack-size=262144
# The modules without simd128 are built for size, the others have the fast kernels; -Os would make them 5 % larger.
# Without strength reduction, values kept over loops and partial redundancies there are fewer variables, and 3 % less code.
WASM_SMALL ?= -Oz -DTACO_SMALL -mllvm -disable-lsr -mllvm -disable-licm-promotion -mllvm -enable-pre=false
WASM_FAST  ?= -Oz -msimd128
# taco-write.wasm writes a Parquet file, text or an Arrow stream, and is loaded on demand.
WASM_NAMES  = taco taco-parquet taco-full taco-full-simd taco-sql taco-sql-simd taco-write
# Parts left out of the small modules: the host switches to taco-full.wasm for these, or if there are many rows
# (js/module.js).
WASM_LACKS  = ERROR_TEXT GZIP LZ4 LIKE BLOOM CACHE
WASM_LACKS_taco         = $(WASM_LACKS) DELTA AVRO ORDER MANY DECIMALS
WASM_LACKS_taco-parquet = $(WASM_LACKS)
wasm_parts  = $(WASM_LACKS_$(1):%=-DTACO_NO_%) $(if $(findstring sql,$1),-DBROWSER_SQL) $(if $(findstring full,$1),-DBROWSER_FULL) \
              $(if $(findstring parquet,$1),-DBROWSER_PARQUET)
WASMS       = $(WASM_NAMES:%=$(WASM)/%.wasm)
WASM_FEATURES = --low-memory-unused --zero-filled-memory --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-simd

# More rounds (--converge) take twice as long and save 0.3 %. One thread each, as make starts several.
WASM_SHRINK = $(if $(WASM_OPT),@BINARYEN_CORES=1 $(WASM_OPT) $(WASM_FEATURES) -Os $@ -o $@)
# The objects depend on what they are compiled with, here or on the command line.
$(B)/wasm/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(WASM_CC) $(WASM_FLAGS) $(WASM_SMALL) $(WASM_FAST) $(WASM_LACKS_taco) $(WASM_LACKS_taco-parquet)' >$@.new
	@cmp -s $@.new $@ || cp $@.new $@
WASM_C = $(CALL)$(CCACHE) $(WASM_CC) $(WASM_FLAGS)
WASM_L = $(call CALL,LD)$(WASM_LD) $(WASM_LINK)

# taco-full and taco-sql, with simd128 and without, are linked from the same objects, one for each folder of src/. Those
# with kernels are compiled twice, the others once. The two without simd128 become 1 to 2 % larger than as one unit, and
# make wasm takes half of the time. The others lack parts, or (taco-write) need few: each is one unit.
WASM_KERNELS = base arrow codec filter parquet
WASM_ENGINE  = dataset geo sql
WASM_SMALLS  = $(patsubst %,$(B)/wasm/small/%.o,$(WASM_KERNELS) $(WASM_ENGINE))
WASM_FASTS   = $(WASM_KERNELS:%=$(B)/wasm/fast/%.o)
$(WASM_SMALLS) $(WASM_FASTS): $(PARTS) $(WASM_LIBC) $(B)/wasm/flags
$(WASM_SMALLS): $(B)/wasm/small/%.o: $(B)/obj/%.c
	@mkdir -p $(@D)
	$(WASM_C) $(WASM_SMALL) -c $< -o $@
$(WASM_FASTS): $(B)/wasm/fast/%.o: $(B)/obj/%.c
	@mkdir -p $(@D)
	$(WASM_C) $(WASM_FAST) -c $< -o $@
$(B)/wasm/%.o: bindings/browser/native/taco_browser.c $(WASM_SHARED) $(WASM_LIBC) taco.h taco_parquet.h extra/taco_sql.h $(B)/wasm/flags
	$(WASM_C) $(WASM_SMALL) $(call wasm_parts,$*) -c $< -o $@
$(B)/wasm/taco-write.o: bindings/browser/native/taco_writer.c $(WASM_SHARED) $(WASM_LIBC) taco_parquet.h extra/taco_parquet_write.h $(B)/wasm/flags
	$(WASM_C) $(WASM_SMALL) -c $< -o $@
$(B)/wasm/libc.o: bindings/browser/native/libc.c $(WASM_LIBC) $(B)/wasm/flags
	$(WASM_C) -O2 -c $< -o $@

$(filter-out %-simd.wasm,$(WASMS)): $(WASM)/%.wasm: $(B)/wasm/%.o
$(WASM)/taco-full.wasm $(WASM)/taco-sql.wasm: $(WASM_SMALLS)
$(WASM)/taco-full-simd.wasm: $(B)/wasm/taco-full.o
$(WASM)/taco-sql-simd.wasm: $(B)/wasm/taco-sql.o
$(WASM)/taco-full-simd.wasm $(WASM)/taco-sql-simd.wasm: $(WASM_FASTS) $(WASM_ENGINE:%=$(B)/wasm/small/%.o)
$(WASMS): $(B)/wasm/libc.o
	@mkdir -p $(@D)
	$(WASM_L) $(filter %.o,$^) -o $@
	$(WASM_SHRINK)
wasm: $(WASMS)

# Installs the packages in package-lock.json, without running their scripts.
bindings/browser/node_modules/.ready: bindings/browser/package-lock.json
	cd bindings/browser && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

# The explorer: one directory, to be served or opened from disk. DATA=dir has the files served as /data/NAME.
EXPLORER = bindings/browser/dist
$(EXPLORER)/app.js: bindings/browser/node_modules/.ready $(WASMS) $(wildcard bindings/browser/explorer/* bindings/browser/js/*.js)
	cd bindings/browser && node explorer/build.mjs
explorer: $(EXPLORER)/app.js
DATA ?= examples/data
PORT ?= 8000
serve: $(EXPLORER)/app.js
	node bindings/browser/explorer/serve.mjs $(EXPLORER) $(DATA) $(PORT)

# taco-full.wasm as one unit, whole (there is no part NOTHING) and without each part in turn, to see how much the part adds.
WITHOUT_error-texts   = -DTACO_NO_ERROR_TEXT
WASM_SWITCHES = ZSTD SNAPPY GZIP LZ4 DELTA NESTED LIKE GEOMETRY ORDER AVRO MANY BLOOM PAGE_INDEX CACHE
WASM_WITHOUT  = NOTHING error-texts $(WASM_SWITCHES)
$(B)/wasm/without/%.o: bindings/browser/native/taco_browser.c $(WASM_SHARED) $(WASM_LIBC) taco.h taco_parquet.h $(B)/wasm/flags
	@mkdir -p $(@D)
	$(WASM_C) $(WASM_SMALL) -DBROWSER_FULL -DBROWSER_UNIT $(or $(WITHOUT_$*),-DTACO_NO_$*) -c $< -o $@
$(B)/wasm/without/%.wasm: $(B)/wasm/without/%.o $(B)/wasm/libc.o
	$(WASM_L) $^ -o $@
	$(WASM_SHRINK)
# The tables in README.md are for modules optimized by wasm-opt; WASM_SIZES=--write=bindings/browser/README.md updates them.
WASM_SIZES = $(if $(WASM_OPT),--check=bindings/browser/README.md)
wasm-size: $(WASMS) $(WASM_WITHOUT:%=$(B)/wasm/without/%.wasm) bindings/browser/node_modules/.ready
	node bindings/browser/test/sizes.mjs $(WASM) $(B)/wasm/without $(WASM_SIZES)

# First in Node alone, then the page in Chromium.
test-browser: $(EXPLORER)/app.js $(B)/taco
	cd bindings/browser && node_modules/.bin/tsc -p test/tsconfig.json
	node bindings/browser/test/sizes.mjs $(WASM) $(WASM_SIZES)
	SHARED=$(abspath $(or $(SHARED),../shared)) node --test bindings/browser/test/module.test.mjs bindings/browser/test/fixtures.test.mjs
	node --test bindings/browser/test/page.test.mjs

# DIR holds flat_1000000.tacozip and its level0.parquet (made by tools/make_big.py in ../shared).
bench-browser: $(WASMS) bindings/browser/node_modules/.ready $(B)/taco
	bash bench/browser.sh $(or $(DIR),$(B)/bench-browser)
.PHONY: wasm wasm-size explorer serve test-browser bench-browser
