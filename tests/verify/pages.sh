#!/usr/bin/env bash
# The pages of docs/examples and docs/lectures stay true (tests/cli/pages.sh has the others). Usage: pages.sh PATH_OF_DAEDAL
exec bash "$(dirname "$0")/../cli/pages.sh" "$1" --examples
