#!/bin/bash
# Installs, upgrades and removes a deb by dpkg itself, while its program runs: in a namespace with layers above this computer's folders, of
# which nothing stays. The first argument is a folder with first.deb, second.deb and bin/sleep; the others are what the program runs.
set -euo pipefail
folder=$1
shift
mount -t tmpfs none /mnt
for each in usr etc var; do
  mkdir -p "/mnt/$each/upper" "/mnt/$each/work"
  mount -t overlay overlay -o "lowerdir=/$each,upperdir=/mnt/$each/upper,workdir=/mnt/$each/work" "/$each"
done
mount -t tmpfs none /opt
until_true() {
  for _ in $(seq 600); do
    if "$@" 2> /dev/null; then return; fi
    /bin/sleep 0.05
  done
  echo "$*: not within 30 s" >&2
  exit 1
}
# Dependencies are not what is asked here.
dpkg() { command dpkg --force-depends "$@" > "$folder/dpkg" 2>&1 || { cat "$folder/dpkg" >&2; exit 1; }; cat "$folder/dpkg"; }

dpkg -i "$folder/first.deb" > /dev/null
/opt/Veridesk/veridesk "$@" < "$folder/input" > "$folder/out" 2> "$folder/error" &
batch=$!
until_true grep -q '"answered":[1-9]' "$folder/out"
echo '--- upgrade'
dpkg -i "$folder/second.deb"
code=0; wait "$batch" || code=$?
echo "ended with $code"

echo '--- removal'
/opt/Veridesk/veridesk -e 'process.on("SIGTERM", () => console.log("asked")); console.log("deaf"); setInterval(() => {}, 1000)' > "$folder/deaf" &
deaf=$!
# What begins a page's process, which ends with the first.
/opt/Veridesk/veridesk -e 'setInterval(() => {}, 1000)' -- --type=renderer &
page=$!
until_true grep -q deaf "$folder/deaf"
PATH=$folder/bin:$PATH dpkg -r veridesk
code=0; wait "$deaf" || code=$?
echo "ended with $code"
if kill -0 "$page" && [ ! -e /opt/Veridesk/veridesk ]; then echo 'the other was not asked'; fi
kill -KILL "$page"
