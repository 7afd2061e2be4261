#!/bin/bash
# What a Supervisor asks of Storm's worker-launcher, for tests: worker-launcher.sh USER COMMAND ARGUMENT...
# The Supervisor runs as root. Files belong to the user and to the Supervisor's group.
set -eu
user=$1
command=$2
shift 2
group=$(id -gn)

as_user() {
  exec setpriv --reuid="$user" --regid="$(id -g "$user")" --init-groups "$@"
}

# give MODE DIRECTORY: the mode is the user's right to write
give() {
  find "$2" \( -type f -o -type d \) -exec chown "$user:$group" {} +
  find "$2" -type f -exec chmod "$1,g=rw,o=" {} +
  find "$2" -type d -exec chmod "$1,g=rwxs,o=" {} +
}

run() {
  cat "$2" > "$1/launch_container.sh"
  chown "$user:$group" "$1/launch_container.sh"
  chmod 700 "$1/launch_container.sh"
  cd "$1"
  umask 0027
  as_user setsid --wait "$1/launch_container.sh"
}

case $command in
  code-dir | blob) give u-w "$1" ;;
  artifacts-dir) give u+w "$1" ;;
  rmr) rm -rf -- "$1" ;;
  worker)
    give u+w "$1"
    run "$1" "$2"
    ;;
  profiler) run "$1" "$2" ;;
  signal) (as_user kill "-$2" -- "-$1") 2> /dev/null || as_user kill "-$2" "$1" ;;
  *)
    echo "unknown command $command" >&2
    exit 1
    ;;
esac
