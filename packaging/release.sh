#!/bin/sh
# release.sh VERSION DIRECTORY - makes DIRECTORY/taco-VERSION.tar.gz of what is committed, and its checksum beside it. The
# same commit gives the same bytes. VERSION must be that of the headers, which must be those that src/ makes.
set -e
cd "$(dirname "$0")/.."
version=$1 out=$2
grep -q "^#define TACO_VERSION  *\"$version\"" taco_parquet.h || { echo "release.sh: taco_parquet.h is not of version $version" >&2; exit 1; }
grep -q "^## $version" CHANGELOG.md || { echo "release.sh: CHANGELOG.md says nothing about $version" >&2; exit 1; }
grep -q "\"version\": \"$version\"" packaging/vcpkg/taco-h/vcpkg.json || { echo "release.sh: vcpkg.json is of another version" >&2; exit 1; }
grep -q "^version: $version" CITATION.cff || { echo "release.sh: CITATION.cff is of another version" >&2; exit 1; }
git diff --quiet HEAD || echo "release.sh: warning: what is not committed is not in the release" >&2
name=taco-$version
mkdir -p "$out"
git archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$out/$name.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256" && cat "$name.tar.gz.sha256")
