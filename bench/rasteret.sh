#!/bin/sh
# rasteret.sh PYTHON [N] - enriching N (2000) local COG headers here and with rasteret, side by side in one run. PYTHON has
# rasteret (tests/interop/rasteret.py says where from). Fails unless the answers are equal and ours is 20 times as fast.
cd "$(dirname "$0")/.." && make build/taco >/dev/null && exec "${1:?which python}" bench/rasteret_enrich.py build/taco "${2:-2000}"
