# bindings.mk - included by the Makefile: modules for DuckDB, SQLite and GDAL.

# The result of `PRAGMA platform` in DuckDB; each binary is for one platform. Older Linux wheels use linux_amd64_gcc4.
PLATFORM ?= $(shell os=$$(uname -s | sed 's/Darwin/osx/; s/Linux/linux/; s/MINGW.*/windows/'); \
              cpu=$$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/'); echo $${os}_$$cpu)
VERSION := v$(shell sed -n 's/^\#define TACO_VERSION  *"\(.*\)"/\1/p' src/api/taco_parquet.h)
MODULE   = $(CC) -std=c99 $(CFLAGS) $(filter-out $(DEAD),$(WARN)) -I. -shared -fPIC -fvisibility=hidden

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
.PHONY: duckdb-extension gdal-plugin sqlite-module
