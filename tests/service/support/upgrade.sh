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
# It begins another in a group of its own, as sample data is opened, and ends at once when it is asked.
/opt/Veridesk/veridesk -e '
  const sample = "process.on(\"SIGTERM\", () => { console.log(\"asked\"); process.exit(0) }); console.log(\"open\"); setInterval(() => {}, 1000)"
  const stdio = ["ignore", require("node:fs").openSync(process.argv[1], "w"), "ignore"]
  require("node:child_process").spawn(process.execPath, ["-e", sample], { detached: true, stdio }); setInterval(() => {}, 1000)' "$folder/sample" &
window=$!
until_true grep -q open "$folder/sample"
echo '--- upgrade'
dpkg -i "$folder/second.deb"
code=0; wait "$batch" || code=$?
echo "ended with $code"
code=0; wait "$window" || code=$?
echo "window ended with $code"

echo '--- removal'
# It begins another, whose command line has spaces between its words, as Chromium writes it.
/opt/Veridesk/veridesk -e '
  const page = "process.title = process.execPath + \" --type=renderer\"; setInterval(() => {}, 1000)"
  const { pid } = require("node:child_process").spawn(process.execPath, ["-e", page, "x".repeat(100)], { stdio: "ignore" })
  require("node:fs").writeFileSync(process.argv[1], String(pid))
  process.on("SIGTERM", () => console.log("asked")); console.log("deaf"); setInterval(() => {}, 1000)' "$folder/page" > "$folder/deaf" &
deaf=$!
until_true grep -q deaf "$folder/deaf"
page=$(cat "$folder/page")
until_true grep -q 'veridesk --type=renderer' "/proc/$page/cmdline"
PATH=$folder/bin:$PATH dpkg -r veridesk
code=0; wait "$deaf" || code=$?
echo "ended with $code"
if kill -0 "$page" && [ ! -e /opt/Veridesk/veridesk ]; then echo 'the other was not asked'; fi
kill -KILL "$page"
