#!/usr/bin/env bash
# Every initial-value problem at four tolerances reaches the digits it must (ivp/digits.sh).
exec bash "$(dirname "$0")/ivp/digits.sh" "$1"
