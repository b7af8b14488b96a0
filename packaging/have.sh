#!/bin/sh
# have.sh DIRECTORY - what this machine has, as variables of make in DIRECTORY/have.mk: sanitizers, C++, libraries, threads.
# It compiles a program for each, so it does so only if the compiler, its flags, or the headers and packages that are
# installed changed since: DIRECTORY/have.key tells. CC, CXX, CFLAGS, BROTLI, CURL, GDAL and THREADS come from the Makefile.
# Several of these may run at once: each has files of its own until it is done.
dir=$1 key=$1/have.key new=$1/have.$$
case " $CC $CFLAGS " in *' -static '*) static=yes ;; *) static=no ;; esac
known() { # all that the answers depend on, without compiling
    echo "$CC|$CXX|$static|$BROTLI|$CURL|$GDAL|$THREADS|$PATH|$CPATH|$C_INCLUDE_PATH|$LIBRARY_PATH|$PKG_CONFIG_PATH"
    for word in $CC $CXX gdal-config pkg-config ccache; do command -v "$word"; done | xargs ls -lLd
    ls -ld /usr/include /usr/local/include /usr/include/*/curl /usr/include/curl /usr/include/brotli /usr/include/gdal \
        /usr/lib/pkgconfig /usr/lib/*/pkgconfig /usr/local/lib/pkgconfig /usr/share/pkgconfig /usr/lib/gcc/*/* "$0"
}
mkdir -p "$dir" && known >"$new.key" 2>/dev/null
if [ -e "$dir/have.mk" ] && cmp -s "$new.key" "$key"; then
    rm "$new.key"
    exit
fi

try=$dir/try.$$
program() { # SUFFIX LINES...: the program that is tried
    suffix=$1
    shift
    printf '%s\n' "$@" >"$try.$suffix"
}
builds() { $CC "$@" -o "$try" 2>/dev/null; }
answer() { printf '%s := %s\n' "$1" "$2"; }

sanitizers() { # only if a program built with them runs; a trap is reported by ASan, with the line, and is less code than a call
    san='-fsanitize=address,undefined'
    program c 'int main(void) { return 0; }'
    for more in '-fno-sanitize-recover=all -fsanitize-undefined-trap-on-error' -fno-sanitize-recover=all; do
        if builds $san $more "$try.c" && "$try"; then
            answer SANITIZE "$san $more"
            san="$san $more"
            return
        fi
    done
    san=''
}
shared() { # tests link a shared library if what a program defines takes the place of the library's
    program 1.c 'int g(void);' 'int f(void);' 'int g(void) { return 1; }' 'int f(void) { return g(); }'
    program c 'int g(void);' 'int f(void);' 'int g(void) { return 2; }' 'int main(void) { return f() - 2; }'
    builds $san -fPIC -shared "$try.1.c" && mv "$try" "$try.so" 2>/dev/null &&
        builds $san -fPIC "$try.c" "$try.so" -Wl,-rpath,"$(cd "$dir" && pwd)" && "$try" && answer SHARED_TESTS yes
}
cxx() {
    program cpp 'int main() { return 0; }'
    $CXX $san "$try.cpp" -o "$try" 2>/dev/null && "$try" && answer HAVE_CXX yes
}
brotli() { # libbrotlidec, for the tool and the probe
    program c 'int main(void) { return !BrotliDecoderVersion(); }'
    for l in "$(pkg-config --cflags --libs libbrotlidec)" '-lbrotlidec -lbrotlicommon'; do
        [ "$l" ] && builds -include brotli/decode.h "$try.c" $l && answer BROTLI_LIBS "-DSYSTEM_BROTLI $l" && return
    done
}
curl() { # libcurl, for the tool: https:// and s3://; the first version that signs S3 requests
    program c '#include <curl/curl.h>' '#if !CURL_AT_LEAST_VERSION(7,75,0)' '#error' '#endif' 'int main(void) { return !curl_version(); }'
    for l in "$(pkg-config --cflags --libs libcurl)" -lcurl; do
        [ "$l" ] && builds "$try.c" $l && answer CURL_LIBS "-DWITH_CURL $l" && return
    done
}
gdal() { # GDAL, for the test of taco_gdal.h and for the plugin. -isystem, because its headers cause warnings
    program c '#include <gdal.h>' '#if GDAL_VERSION_NUM < 3060000' '#error' '#endif' 'int main(void) { return GDALGetDriverCount(); }'
    for l in "$(gdal-config --cflags --libs | tr '\n' ' ')" "$(pkg-config --cflags --libs gdal)"; do
        [ "$l" ] && builds "$try.c" $l && answer GDAL_LIBS "$(echo "$l" | sed 's/-I/-isystem /g')" && return
    done
}
threads() {
    program c '#include <pthread.h>' '#include <unistd.h>' 'int main(void) { pthread_t t; (void)t; return !sysconf(_SC_NPROCESSORS_ONLN); }'
    builds -D_POSIX_C_SOURCE=200809L "$try.c" -pthread && answer THREAD_LIBS '-DWITH_THREADS -pthread'
}
loading() { # libdl, for C libraries without dlsym; dlopen, but not in a program that is linked statically
    dl=''
    program c 'int main(void) { return 0; }'
    builds "$try.c" -ldl && dl=-ldl && answer DL_LIBS "$dl"
    [ $static = no ] || return
    program c '#include <dlfcn.h>' 'int main(void) { return !dlopen(0, RTLD_NOW); }'
    builds -std=c99 "$try.c" $dl && answer CAN_LOAD yes
}
launcher() { # ccache, unless the compiler is called through it already
    command -v ccache >/dev/null || return
    case "$CC $(readlink "$(command -v "${CC%% *}")")" in *ccache*) ;; *) answer HAVE_CCACHE ccache ;; esac
}
{
    sanitizers
    shared
    cxx
    [ "$BROTLI" = no ] || brotli
    [ "$CURL" = no ] || curl
    [ "$GDAL" = no ] || gdal
    [ "$THREADS" = no ] || threads
    loading
    launcher
} 2>/dev/null >"$new.mk"
rm -f "$try" "$try".*
mv "$new.mk" "$dir/have.mk" && mv "$new.key" "$key"
