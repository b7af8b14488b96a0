# bench.mk - included by the Makefile: benchmarks. Each prints ratios to a peer in the same run; DIR is for large generated inputs.

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
	$(CC) -std=c99 $(CFLAGS) $(filter-out $(DEAD),$(WARN)) -I. $< -o $@ -lzstd -llz4 -lsnappy
bench-encode: $(B)/bench_encode
	$(B)/bench_encode $(PAGES) $(or $(R),5)
# PYTHON needs rasterio, and torch and tacoreader for the third variant. The archive is made in DIR.
$(B)/train_loader: examples/train_loader.c examples/prefetch.h tool/pool.c tool/pool.h $(HEADERS)
	$(CC) -std=c99 $(CFLAGS) $(filter-out $(DEAD),$(WARN)) -I. $< tool/pool.c $(GDAL_LIBS) -pthread -o $@
bench-train: $(B)/taco $(B)/train_loader
	$(PYTHON) bench/train.py $(B)/train_loader $(B)/taco $(DIR) $(or $(N),2000) $(or $(R),3)
# PYTHON: from the reference's environment.
bench-stats: $(B)/taco $(B)/taco-gdal
	$(PYTHON) bench/gdal_stats.py $(B)/taco $(or $(DIR),$(B)/bench/stats)
# Needs mpicc from any MPI 3 implementation.
MPI = $(addprefix $(B)/mpi/,scan read stats create catalogue)
$(MPI): $(B)/mpi/%: examples/mpi/%.c examples/mpi/mpi_taco.h $(B)/obj/libtaco.a
	@mkdir -p $(@D)
	mpicc -std=c99 -D_POSIX_C_SOURCE=200809L $(CFLAGS) $(filter-out $(DEAD),$(WARN)) -I. $< $(B)/obj/libtaco.a -o $@
mpi: $(MPI)
$(B)/mpi/one_file: bench/one_file.c
	@mkdir -p $(@D)
	$(CC) -std=c99 $(CFLAGS) $(WARN) $< -o $@
bench-mpi: $(B)/taco $(MPI) $(B)/mpi/one_file
	@$(PYTHON) tests/interop/mpi.py $(B)/taco $(B)/mpi $(or $(DIR),$(B)/bench_mpi) --bench
$(B)/bench_catalogue: bench/catalogue.c tool/pool.c tool/pool.h $(B)/obj/libtaco.a
	$(CC) -std=c99 $(CFLAGS) $(filter-out $(DEAD),$(WARN)) -I. $< tool/pool.c $(B)/obj/libtaco.a -pthread -o $@
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
.PHONY: bench bench-catalogue bench-create bench-encode bench-metadata bench-mpi bench-parquet bench-query bench-rasteret bench-scale bench-sql bench-stats bench-train bench-wheel bench-write mpi
