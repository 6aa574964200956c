#!/bin/sh
# A verified backup of the catalog in the folder $1, named by the day; those older than DAYS (30) are deleted after it succeeded.
set -eu
folder=$1
wavescope=${COMMAND:-/opt/wavescope/.venv/bin/wavescope}
file=$folder/wavescope-$(date +%F).zip
"$wavescope" backup "$file" --replace
"$wavescope" backup "$file" --verify
find "$folder" -name 'wavescope-*.zip' -mtime +"${DAYS:-30}" -delete
