# interop.mk - included by the Makefile: the tool and the bindings beside other programs. SHARED=dir has their files.

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
interop-rasteret: $(B)/taco
	@$(PYTHON) tests/interop/rasteret.py $(B)/taco $(SHARED) $(PY03) $(PY04)

# A virtual environment with pinned Python packages.
$(B)/arrow-env/ready: tests/interop/requirements.txt
	python3 -m venv $(B)/arrow-env
	$(B)/arrow-env/bin/pip install -q --disable-pip-version-check -r tests/interop/requirements.txt
	@touch $@
$(B)/libtaco_stream.so: tests/interop/stream.c examples/system_codecs.h $(HEADERS)
	$(CC) -std=c99 -O1 -g -shared -fPIC $(filter-out $(DEAD),$(WARN)) -I. $< $(BROTLI_LIBS) -o $@
interop-arrow: $(B)/taco $(B)/libtaco_stream.so $(B)/arrow-env/ready
	@$(B)/arrow-env/bin/python tests/interop/arrow.py $(B)/libtaco_stream.so $(B)/taco $(SHARED)

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
.PHONY: growth interop-arrow interop-engines interop-rasteret power races strict
