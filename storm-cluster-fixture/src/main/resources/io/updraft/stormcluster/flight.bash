#!/bin/sh
# What a Supervisor runs for the profiler actions that Nimbus' clients ask for: PID ACTION [DIRECTORY].
set -eu
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
now=$(date +%s)
case $2 in
    jstack) "${bin}jstack" "$1" >"$3/jstack-$1-$now.txt" ;;
    jmap) "${bin}jmap" "-dump:format=b,file=$3/recording-$1-$now.bin" "$1" ;;
    start) "${bin}jcmd" "$1" JFR.start name=storm ;;
    dump) "${bin}jcmd" "$1" JFR.dump name=storm "filename=$3/recording-$1-$now.jfr" ;;
    stop) "${bin}jcmd" "$1" JFR.stop name=storm "filename=$3/recording-$1-$now.jfr" ;;
    kill) kill "$1" ;;
esac
