#!/bin/sh
# A verified backup of the catalog in the folder $1, named by the day; those older than DAYS (30) are deleted after it succeeded.
# With RECIPIENTS, a file of public keys of age, it is encrypted for them, and only the encrypted file stays.
set -eu
umask 077
folder=$1
wavescope=${COMMAND:-/opt/wavescope/.venv/bin/wavescope}
file=$folder/wavescope-$(date +%F).zip
"$wavescope" backup "$file" --replace
"$wavescope" backup "$file" --verify
if [ -n "${RECIPIENTS:-}" ]; then
    age --encrypt --recipients-file "$RECIPIENTS" --output "$file.age" "$file"
    rm "$file"
fi
find "$folder" -name 'wavescope-*.zip*' -mtime +"${DAYS:-30}" -delete
