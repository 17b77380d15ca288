#!/usr/bin/env bash
# Every optimal control problem reaches its known optimum, or is refused with the right status and reason (ocp/run.sh).
OCP_JOBS=2 OCP_TIMEOUT=120 exec bash "$(dirname "$0")/ocp/run.sh" "$1"
