#!/bin/sh
# check.sh DIRECTORY - builds packaging/consumer with every package there is: make's, CMake's and Meson's installed ones,
# both as subprojects, Conan and vcpkg; runs it; and holds against each other what they install. DIRECTORY is where make
# built the tool and the library. What is missing on this machine is SKIPPED. The last line is "packages: N passed, M failed".
cd "$(dirname "$0")/.." || exit 2
top=$PWD build=$1
case $build in /*) ;; *) build=$top/$build ;; esac
dir=$build/packages passed=0 failed=0
rm -rf "$dir" && mkdir -p "$dir" || exit 2
export CFLAGS=-O0 # what is built here is run once
data=$top/examples/data/names.tacozip
"$build/taco" query "$data" --format vsi >"$dir/wanted" || exit 2
sed -n 's/^#define TACO_VERSION  *"\(.*\)"/\1/p' taco_parquet.h >>"$dir/wanted"
have() { command -v "$1" >/dev/null 2>&1 || { echo "SKIPPED $1: not installed"; false; }; }
check() { # what, command...
    what=$1
    shift
    if "$@" >"$dir/log" 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $what"
        tail -n 12 "$dir/log" | sed 's/^/    /'
    fi
}
runs() { "$@" "$data" >"$dir/got" && cmp "$dir/got" "$dir/wanted"; }
symbols() { # every one that the library exports is ours and public
    nm -D --defined-only "$1" | awk '{ print $3 }' >"$dir/symbols"
    [ "$(wc -l <"$dir/symbols")" -gt 150 ] && ! grep -v '^taco_[a-z]' "$dir/symbols"
}
soname() { readelf -d "$1" | grep -q "SONAME.*\[libtaco_h.so.$(cat packaging/abi)\]"; }

# ---- make ----
make_install() { make -s B="$build" PREFIX="$dir/make" install; }
lists_alike() { # headers of the repository are those that were installed, the rest is in the places all of them use
    (ls taco*.h && cd extra && ls taco*.h) | sort >"$dir/headers" && ls "$1/include/taco_h" | cmp - "$dir/headers" && [ -e "$1/$2/pkgconfig/taco_h.pc" ] &&
        [ -e "$1/$2/cmake/taco_h/taco_h-config.cmake" ]
}
with_pc() { # OUT FLAG of pkg-config, -L of the compiler
    ${CC:-cc} packaging/consumer/main.c $3 $(PKG_CONFIG_PATH="$dir/make/lib/pkgconfig" pkg-config --cflags --libs $2 taco_h) -o "$1"
}
staged() { # a package is staged in a directory that its files do not know, and uninstall leaves nothing
    make -s B="$build" DESTDIR="$dir/stage" PREFIX=/usr install && [ -x "$dir/stage/usr/bin/taco" ] &&
        ! grep -r "$dir" "$dir/stage/usr/lib/pkgconfig" "$dir/stage/usr/lib/cmake" &&
        make -s B="$build" DESTDIR="$dir/stage" PREFIX=/usr uninstall && [ -z "$(find "$dir/stage" ! -type d)" ]
}
check "make install" make_install
check "make: files" lists_alike "$dir/make" lib
check "make: symbols" symbols "$dir/make/lib/libtaco_h.so"
check "make: soname" soname "$dir/make/lib/libtaco_h.so"
check "make: DESTDIR and uninstall" staged
if have pkg-config; then
    check "pkg-config" with_pc "$dir/pc"
    check "pkg-config: runs" runs env LD_LIBRARY_PATH="$dir/make/lib" "$dir/pc"
    mkdir "$dir/static" && cp "$dir/make/lib/libtaco_h.a" "$dir/static"
    check "pkg-config --static" with_pc "$dir/pc-static" --static "-L$dir/static"
    check "pkg-config --static: runs" runs "$dir/pc-static"
    check "pkg-config: modversion" sh -c "PKG_CONFIG_PATH='$dir/make/lib/pkgconfig' pkg-config --modversion taco_h | grep -qx '$(tail -n 1 "$dir/wanted")'"
fi

# ---- manual pages and completions ----
pages() { # one for each command, with each of its options; none that mandoc finds a fault in
    awk -F'\t' '$1 == "command" { print $2 }' "$build/options.dump" | while read -r command; do
        page=$dir/make/share/man/man1/taco-$command.1
        awk -F'\t' -v c="$command" '$1 == "option" && $2 == c { gsub(/-/, "\\-", $4); print "fB" $4 "\\fR" }' "$build/options.dump" >"$dir/named"
        while read -r option; do grep -qF -- "$option" "$page" || { echo "$page lacks $option"; exit 1; }; done <"$dir/named" || exit 1
    done && [ "$(ls "$dir/make/share/man/man1" | wc -l)" -gt 19 ]
}
completes() { # LINE WANTED in bash: the last word of the line is completed to this list
    bash -c 'source "$0"; COMP_WORDS=($1); [ "${1% }" = "$1" ] || COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _taco 2>/dev/null
        echo "got ${COMPREPLY[*]}"; [ "${COMPREPLY[*]}" = "$2" ]' "$dir/make/share/bash-completion/completions/taco" "$1" "$2"
}
fish_completes() {
    fish -c "source '$dir/make/share/fish/vendor_completions.d/taco.fish'; complete -C '$1'" | cut -f 1 | tr '\n' ' ' | tee "$dir/got" | grep -qx "$2 "
}
check "manual pages" pages
have mandoc && check "manual pages: mandoc" sh -c "! mandoc -T lint -W error '$dir'/make/share/man/man1/*.1 | grep ."
if have bash; then
    check "bash: a command" completes "taco que" query
    check "bash: a global option before it" completes "taco --threads 2 que" query
    check "bash: an option" completes "taco query x.tacozip --form" --format
    check "bash: a choice" completes "taco query x.tacozip --format geo" "geojson geoparquet"
    check "bash: a verb" completes "taco parquet c" "cat copy"
    check "bash: no option of another command" completes "taco get x --sel" ""
    check "bash: a file" completes "taco info LICE" LICENSE
fi
have zsh && check "zsh" zsh -n "$dir/make/share/zsh/site-functions/_taco"
if have fish; then
    check "fish: a command" fish_completes "taco que" query
    check "fish: a choice" fish_completes "taco query x --format geo" "geojson geoparquet"
    check "fish: a verb" fish_completes "taco parquet c" "cat copy"
fi

# ---- CMake ----
cmake_build() { # SOURCE BUILD OPTIONS...
    source=$1 into=$2
    shift 2
    cmake -S "$source" -B "$into" "$@" && cmake --build "$into"
}
if have cmake; then
    check "CMake, with make's install" cmake_build packaging/consumer "$dir/cmake-make" -DCMAKE_PREFIX_PATH="$dir/make"
    check "CMake, with make's install: runs" runs "$dir/cmake-make/consumer"
    check "CMake, with make's static library: runs" runs "$dir/cmake-make/consumer-static"
    for shared in OFF ON; do
        check "CMake, shared $shared" cmake_build . "$dir/cmake-$shared" -DBUILD_SHARED_LIBS=$shared -DCMAKE_INSTALL_PREFIX="$dir/cmake-$shared-in" -DCMAKE_INSTALL_LIBDIR=lib
        check "CMake, shared $shared: install" cmake --install "$dir/cmake-$shared"
        check "CMake, shared $shared: files" lists_alike "$dir/cmake-$shared-in" lib
        check "CMake, shared $shared: consumer" cmake_build packaging/consumer "$dir/cmake-$shared-use" -DCMAKE_PREFIX_PATH="$dir/cmake-$shared-in"
        check "CMake, shared $shared: runs" runs "$dir/cmake-$shared-use/consumer"
    done
    check "CMake: symbols" symbols "$dir/cmake-ON-in/lib/libtaco_h.so"
    check "CMake: soname" soname "$dir/cmake-ON-in/lib/libtaco_h.so"
    check "CMake as a subproject" cmake_build packaging/consumer "$dir/cmake-sub" -DTACO_H="$top"
    check "CMake as a subproject: runs" runs "$dir/cmake-sub/consumer"
    too_new() { # a version that is not there is refused
        mkdir -p "$dir/new" && sed 's/taco_h 0.1/taco_h 7.0/' packaging/consumer/CMakeLists.txt >"$dir/new/CMakeLists.txt" && touch "$dir/new/main.c"
        ! cmake -S "$dir/new" -B "$dir/new-build" -DCMAKE_PREFIX_PATH="$dir/$1" && grep -q 'version "7.0"' "$dir/log"
    }
    check "CMake: make's version" too_new make
    rm -rf "$dir/new-build"
    check "CMake: its own version" too_new cmake-ON-in
    if command -v vcpkg >/dev/null 2>&1; then
        check "vcpkg" vcpkg install taco-h --overlay-ports=packaging/vcpkg --x-install-root="$dir/vcpkg"
    else
        check "vcpkg's port" cmake -DOUT="$dir/vcpkg" -P packaging/vcpkg/without_vcpkg.cmake
        check "vcpkg's port: consumer" cmake_build packaging/consumer "$dir/vcpkg-use" -DCMAKE_PREFIX_PATH="$dir/vcpkg"
        check "vcpkg's port: runs" runs "$dir/vcpkg-use/consumer"
    fi
fi

# ---- Meson ----
if have meson; then
    mkdir -p "$dir/meson/subprojects" && cp packaging/consumer/main.c packaging/consumer/meson.build "$dir/meson" && ln -s "$top" "$dir/meson/subprojects/taco_h"
    check "Meson as a subproject" sh -c "meson setup --buildtype=debug '$dir/meson-sub' '$dir/meson' && ninja -C '$dir/meson-sub'"
    check "Meson as a subproject: runs" runs "$dir/meson-sub/consumer"
    check "Meson" sh -c "meson setup --buildtype=debug --prefix='$dir/meson-in' --libdir=lib '$dir/meson-build' . && meson install -C '$dir/meson-build'"
    check "Meson: symbols" symbols "$dir/meson-in/lib/libtaco_h.so"
    check "Meson: soname" soname "$dir/meson-in/lib/libtaco_h.so"
    rm "$dir/meson/subprojects/taco_h"
    check "Meson, with its install" sh -c "PKG_CONFIG_PATH='$dir/meson-in/lib/pkgconfig' meson setup '$dir/meson-use' '$dir/meson' && ninja -C '$dir/meson-use'"
    check "Meson, with its install: runs" runs env LD_LIBRARY_PATH="$dir/meson-in/lib" "$dir/meson-use/consumer"
fi

# ---- Conan ----
if have conan; then
    export CONAN_HOME="$dir/conan" TACO_H_BUILD="$dir/conan-test"
    # Conan tells the compiler by its name: a launcher before it and the name "cc" say nothing, and it looks by itself then
    case ${CC##* } in *gcc* | *clang*) export CC="${CC##* }" ;; *) unset CC ;; esac
    check "Conan: profile" conan profile detect
    check "Conan" sh -c "conan create packaging/conan --no-remote --build=missing -s build_type=Debug >'$dir/conan.log' 2>&1 || { cat '$dir/conan.log'; exit 1; }"
    check "Conan: its test" grep -q "^/vsisubfile/" "$dir/conan.log"
fi

# ---- the release ----
release() {
    make -s B="$dir" dist && cd "$dir" && sha256sum -c taco-*.tar.gz.sha256 && tar xzf taco-*.tar.gz && cd taco-*/ &&
        ${CC:-cc} -std=c99 -O0 -DTACO_STATIC -w examples/query.c -o query && ./query
}
[ -e .git ] && have git && check "release" release

echo "packages: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 20 ]
