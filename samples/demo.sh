#!/usr/bin/env bash
# The main job on the samples, without a keyboard. Argument: the companion command.
set -euo pipefail
companion="$1"
here="$(dirname "$0")"
say() { printf '\n\033[1m$ companion %s\033[0m\n' "$*"; "$companion" "$@"; }
[ -t 1 ] || say() { printf '\n$ companion %s\n' "$*"; "$companion" "$@"; }

say score "$here/family-of-four.toml"
say check "$here/dispute.toml"
say show "$here/up-the-creek-match.toml"
say scan "$here/photos/creek-ana.jpg" --deck up-the-creek --score
