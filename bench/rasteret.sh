#!/bin/sh
# rasteret.sh PYTHON [N] - enriches a collection from N (2000) local COG headers with taco and with rasteret, in one run.
# PYTHON has rasteret (see tests/interop/rasteret.py). Fails unless the results are equal and taco is 20 times as fast.
cd "$(dirname "$0")/.." && make build/taco >/dev/null && exec "${1:?which python}" bench/rasteret_enrich.py build/taco "${2:-2000}"
