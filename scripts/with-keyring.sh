#!/bin/sh
# Runs a command with a separate real, unlocked gnome-keyring: a D-Bus session, a home and a runtime
# folder that end with it, so that tests never use the keychain of the person who runs them.
#
#   scripts/with-keyring.sh COMMAND [ARGUMENT...]
#
# VERIDESK_KEYRING=locked  leaves the login keyring present but locked
# VERIDESK_KEYRING=none    starts the D-Bus session without a Secret Service
# Sets VERIDESK_KEYRING_PID for the command, the daemon's process ID, for fault tests.
# Exit status: the command's; 2 wrong usage, 3 a required program is missing, 4 no keyring started.
set -u

if [ $# -eq 0 ]; then
  echo 'with-keyring: name a command to run' >&2
  exit 2
fi
for program in dbus-run-session gnome-keyring-daemon; do
  if ! command -v "$program" >/dev/null 2>&1; then
    echo "with-keyring: $program is missing (Debian: apt-get install dbus gnome-keyring)" >&2
    exit 3
  fi
done

place=$(mktemp -d "${TMPDIR:-/tmp}/veridesk-keyring.XXXXXX") || exit 4
# The keyring's daemon ends with its session, but a stopped one (SIGSTOP, in fault tests) would not.
finish() {
  if [ -s "$place/daemon.pid" ]; then
    pid=$(cat "$place/daemon.pid")
    case "$(cat "/proc/$pid/comm" 2>/dev/null)" in gnome-keyring*) kill -9 "$pid" 2>/dev/null ;; esac
  fi
  rm -rf "$place"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -m 700 "$place/home" "$place/run"

# npm's cache and browsers are looked up under HOME: their old paths are exported before it changes.
: "${npm_config_cache:=${HOME:-/root}/.npm}" "${PLAYWRIGHT_BROWSERS_PATH:=${HOME:-/root}/.cache/ms-playwright}"
export npm_config_cache PLAYWRIGHT_BROWSERS_PATH
HOME=$place/home XDG_RUNTIME_DIR=$place/run VERIDESK_KEYRING_PLACE=$place
export HOME XDG_RUNTIME_DIR VERIDESK_KEYRING_PLACE
unset XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME GNOME_KEYRING_CONTROL DBUS_SESSION_BUS_ADDRESS

# The bus and its services print a lot; the command's own output bypasses them on descriptors 3 and 4.
dbus-run-session -- sh -c '
  daemon_id() { for each in /proc/[0-9]*; do
    [ "$(cat "$each/comm")" = gnome-keyring-d ] || continue
    tr "\0" "\n" <"$each/environ" | grep -qx "XDG_RUNTIME_DIR=$XDG_RUNTIME_DIR" && echo "${each#/proc/}" && return
  done 2>/dev/null; }
  case "${VERIDESK_KEYRING:-unlocked}" in
    none) ;;
    locked)
      # A keyring of that name must exist before it can be locked: it is created first, then the service is restarted, still locked.
      printf "made by a test\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1 3>&- 4>&-
      first=$(daemon_id); [ -n "$first" ] && kill "$first" && while kill -0 "$first" 2>/dev/null; do sleep 0.05; done
      gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1 3>&- 4>&- ;;
    *) printf "\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1 3>&- 4>&- ;;
  esac || { echo "with-keyring: gnome-keyring-daemon did not start" >&3; exit 4; }
  if [ "${VERIDESK_KEYRING:-unlocked}" != none ]; then
    VERIDESK_KEYRING_PID=$(daemon_id); export VERIDESK_KEYRING_PID
    [ -n "$VERIDESK_KEYRING_PID" ] || { echo "with-keyring: gnome-keyring-daemon did not stay" >&3; exit 4; }
    echo "$VERIDESK_KEYRING_PID" >"$VERIDESK_KEYRING_PLACE/daemon.pid"
  fi
  unset VERIDESK_KEYRING_PLACE
  exec "$@" >&4 2>&3 3>&- 4>&-
' with-keyring "$@" 3>&2 4>&1 >"$place/noise" 2>&1
