# packaging.mk - installs the tool, headers, library, files for pkg-config and CMake, manual pages and completions, and
# makes releases. Included by the Makefile. LIBDIR=dir installs the library in another directory than PREFIX/lib.
# CMakeLists.txt and meson.build at the top build and install the same library.

LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
RELEASE    := $(VERSION:v%=%)
# Incremented if programs linked with the library have to be recompiled: a public struct grew, a call changed. CMake and
# Meson read it as well.
ABI        := $(shell cat packaging/abi)
LIB         = $(B)/lib

ifeq ($(shell uname -s),Darwin)
SHARED_FILE = libtaco_h.$(ABI).dylib
SHARED_NAME = libtaco_h.dylib
SONAME      = -dynamiclib -install_name $(LIBDIR)/$(SHARED_FILE)
else
SHARED_FILE = libtaco_h.so.$(ABI)
SHARED_NAME = libtaco_h.so
SONAME      = -shared -Wl,-soname,$(SHARED_FILE) -Wl,-z,defs
endif

# ---- the library ----

# A single translation unit, so that private functions have no symbols.
$(LIB)/taco_h.o: packaging/taco_h.c examples/system_codecs.h $(HEADERS)
	@mkdir -p $(@D)
	$(CC) -std=c99 $(CFLAGS) $(filter-out $(DEAD),$(WARN)) -I. -fPIC $(filter-out -l% -L%,$(BROTLI_LIBS)) -c $< -o $@
$(LIB)/libtaco_h.a: $(LIB)/taco_h.o
	@rm -f $@ && ar rcs $@ $<
$(LIB)/$(SHARED_FILE): $(LIB)/taco_h.o packaging/abi
	$(CC) $(CFLAGS) $(LDFLAGS) $(SONAME) $< $(BROTLI_LIBS) -o $@
	ln -sf $(SHARED_FILE) $(LIB)/$(SHARED_NAME)
# These contain installation paths, so they are generated again at every install.
FILLED = $(LIB)/taco_h.pc $(LIB)/taco_h-config.cmake $(LIB)/taco_h-config-version.cmake
$(FILLED): $(LIB)/%: packaging/%.in FORCE
	@mkdir -p $(@D)
	@sed -e 's,@prefix@,$(PREFIX),' -e 's,@libdir@,$(LIBDIR),' -e 's,@includedir@,$(INCLUDEDIR),' \
	    -e 's,@version@,$(RELEASE),' -e 's,@requires@,$(if $(BROTLI_LIBS), libbrotlidec),' \
	    -e 's,@brotli@,$(if $(BROTLI_LIBS),ON,OFF),' $< >$@
FORCE:
lib: $(LIB)/libtaco_h.a $(LIB)/$(SHARED_FILE) $(FILLED)

# ---- manual pages and completions, generated from the tool's table of options ----

$(B)/man/made: $(B)/taco packaging/man.awk packaging/completion.awk
	@mkdir -p $(@D)
	@rm -f $(@D)/*
	@$(B)/taco --dump-options >$(B)/options.dump
	awk -v version=$(RELEASE) -v dir=$(@D) -f packaging/man.awk $(B)/options.dump
	awk -v dir=$(@D) -f packaging/completion.awk $(B)/options.dump
	@touch $@
manuals: $(B)/man/made

# ---- install and uninstall ----

SHARE = $(DESTDIR)$(PREFIX)/share
COMPLETIONS = bash-completion/completions/taco zsh/site-functions/_taco fish/vendor_completions.d/taco.fish
install: $(B)/taco lib manuals
	mkdir -p "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(INCLUDEDIR)/taco_h" "$(DESTDIR)$(LIBDIR)/pkgconfig" "$(DESTDIR)$(LIBDIR)/cmake/taco_h"
	install -m 755 $(B)/taco "$(DESTDIR)$(PREFIX)/bin/taco"
	test ! -x $(B)/taco-gdal || install -m 755 $(B)/taco-gdal "$(DESTDIR)$(PREFIX)/bin/taco-gdal"
	install -m 644 $(HEADERS) "$(DESTDIR)$(INCLUDEDIR)/taco_h/"
	install -m 644 $(LIB)/libtaco_h.a "$(DESTDIR)$(LIBDIR)/"
	install -m 755 $(LIB)/$(SHARED_FILE) "$(DESTDIR)$(LIBDIR)/"
	ln -sf $(SHARED_FILE) "$(DESTDIR)$(LIBDIR)/$(SHARED_NAME)"
	install -m 644 $(LIB)/taco_h.pc "$(DESTDIR)$(LIBDIR)/pkgconfig/"
	install -m 644 $(LIB)/taco_h-config.cmake $(LIB)/taco_h-config-version.cmake "$(DESTDIR)$(LIBDIR)/cmake/taco_h/"
	mkdir -p "$(SHARE)/man/man1" $(foreach f,$(COMPLETIONS),"$(SHARE)/$(dir $f)")
	install -m 644 $(B)/man/*.1 "$(SHARE)/man/man1/"
	install -m 644 $(B)/man/taco.bash "$(SHARE)/$(word 1,$(COMPLETIONS))"
	install -m 644 $(B)/man/_taco "$(SHARE)/$(word 2,$(COMPLETIONS))"
	install -m 644 $(B)/man/taco.fish "$(SHARE)/$(word 3,$(COMPLETIONS))"
uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/taco" "$(DESTDIR)$(PREFIX)/bin/taco-gdal" $(foreach f,libtaco_h.a $(SHARED_FILE) $(SHARED_NAME) pkgconfig/taco_h.pc,"$(DESTDIR)$(LIBDIR)/$f")
	rm -f "$(SHARE)/man/man1/taco.1" "$(SHARE)/man/man1/taco-"*.1 $(foreach f,$(COMPLETIONS),"$(SHARE)/$f")
	rm -rf "$(DESTDIR)$(INCLUDEDIR)/taco_h" "$(DESTDIR)$(LIBDIR)/cmake/taco_h"

# ---- releases, and test programs built with each package ----

dist:
	@sh packaging/release.sh $(RELEASE) $(B)
check-packages: $(B)/taco lib manuals
	@CC="$(CC)" sh packaging/check.sh $(B)
