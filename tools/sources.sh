#!/bin/sh
# Lists every C file of the project, one per line, in a fixed order.
cd "$(dirname "$0")/.." || exit 1
find src include tests examples bench -name '*.[ch]' 2>/dev/null | LC_ALL=C sort
