#!/bin/sh
# deb and rpm, before files are replaced or removed: asks Veridesk to end, so that batches are paused and the history is closed. The
# first argument is “upgrade” or “remove” of deb, and the number of versions that stay of rpm.
case "${1-}" in upgrade | remove | 2 | 0) ;; *) exit 0 ;; esac

program=/opt/Veridesk/veridesk

# Of windows and command lines of every user, the first process each: the others end with it, and it cannot close the history without
# them. What their command lines say does not tell them apart, since Chromium rewrites it.
running() {
  for link in /proc/[0-9]*/exe; do
    case $(readlink "$link" 2>/dev/null) in "$program" | "$program (deleted)") ;; *) continue ;; esac
    process=${link#/proc/}
    process=${process%/exe}
    parent=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$process/status" 2>/dev/null)
    case $(readlink "/proc/$parent/exe" 2>/dev/null) in "${program%/*}"/*) ;; *) echo "$process" ;; esac
  done
}

asked=
waited=0
while processes=$(running) && [ -n "$processes" ]; do
  [ -n "$asked" ] || echo "Veridesk is open (process" $processes"). It is asked to end; a batch is paused and can be continued."
  # A window with sample data is first only once the window that opened it has ended.
  for process in $processes; do
    case " $asked " in *" $process "*) continue ;; esac
    asked="$asked $process"
    kill -TERM "$process" 2>/dev/null || true
  done
  if [ "$waited" -ge 20 ]; then
    echo 'Veridesk did not end within 20 seconds and is ended. What was recorded stays.'
    kill -KILL $(running) 2>/dev/null || true
    break
  fi
  sleep 1
  waited=$((waited + 1))
done
exit 0
