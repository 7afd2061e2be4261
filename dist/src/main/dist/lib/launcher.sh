# Functions that start Updraft, for bin/updraft of an installation and for ./updraft of a checkout. Both source this file.

java_floor=17
least_files=256

die() {
    echo "updraft: $*" >&2
    exit 2
}

# Sets HOME where a service has none, and state, the directory of logs and heap dumps. Dies when neither HOME nor
# XDG_STATE_HOME is known.
find_home() {
    if [ -z "${HOME:-}" ]; then
        HOME=$(getent passwd "$(id -u)" 2>/dev/null | cut -d: -f6)
        export HOME
    fi
    state=${XDG_STATE_HOME:-${HOME:+$HOME/.local/state}}/updraft
    [ "$state" != /updraft ] || die "HOME is not set; set it, or XDG_STATE_HOME, to a directory that can be written"
}

# Without a UTF-8 locale the JVM opens no file whose name is not ASCII, not even its own jars.
find_locale() {
    case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
        C.UTF-8 | C.utf8) return ;;
        '' | C | POSIX) charmap= ;;
        *) charmap=$(locale charmap 2>/dev/null) || charmap= ;;
    esac
    case $charmap in
        '' | ANSI_X3.4-1968 | US-ASCII)
            export LC_CTYPE=C.UTF-8
            [ -z "${LC_ALL:-}" ] || export LC_ALL=C.UTF-8
            ;;
    esac
}

# The JVM keeps each jar open. With too few open files it reports missing classes.
check_open_files() {
    files=$(ulimit -Hn 2>/dev/null) || files=unlimited
    case $files in
        *[!0-9]* | '') ;;
        *) [ "$files" -ge "$least_files" ] ||
            die "at most $files files may be open (ulimit -n), and $least_files are needed; raise the limit" ;;
    esac
}

# Sets java to the JVM to use, java_home to its directory, java_version and java_major. Dies when the JVM is too old.
# Reads the version from the file "release", which is faster than starting a JVM.
find_java() {
    if [ -n "${JAVA_HOME:-}" ]; then
        java=$JAVA_HOME/bin/java
        [ -x "$java" ] || die "there is no bin/java in JAVA_HOME ($JAVA_HOME); set it to a Java $java_floor or newer"
    else
        java=$(command -v java) || die "no Java found; install Java $java_floor or newer, or set JAVA_HOME to it"
    fi
    java_home=$(readlink -f "$java")
    java_home=${java_home%/*/*}
    java_version=
    if [ -r "$java_home/release" ]; then
        while IFS='=' read -r name value; do
            [ "$name" != JAVA_VERSION ] || java_version=${value#\"}
        done <"$java_home/release"
        java_version=${java_version%\"}
    fi
    [ -n "$java_version" ] || java_version=$("$java" -version 2>&1 | sed -n 's/.*version "\([^"]*\)".*/\1/p')
    java_major=${java_version%%[!0-9]*}
    [ "${java_major:-0}" -ge "$java_floor" ] ||
        die "found Java ${java_version:-of unknown version} ($java), need Java $java_floor or newer; install it or set JAVA_HOME"
}

# Makes the directories of logs and heap dumps.
make_state() {
    [ -d "$state/logs" ] && [ -d "$state/heapdumps" ] && return
    mkdir -p "$state/logs" "$state/heapdumps" 2>/dev/null ||
        die "cannot write to $state; set XDG_STATE_HOME to a directory that can be written"
}

# Finds all that a start needs, and dies when something is missing. Argument: the directory of the installation or checkout.
prepare() {
    case $1 in
        *:*) die "the path contains a colon, which Java's class path cannot have: move $1" ;;
    esac
    find_home
    find_locale
    check_open_files
    find_java
    make_state
}

# Succeeds for a command that asks or controls a run in another process.
is_client() {
    case ${1:-} in
        ps | deaths | top | history | stack | heap | profile | errors | dead-letters | log-level | debug | activate | deactivate | rebalance | kill) ;;
        *) return 1 ;;
    esac
}

# Sets class_path to the jars of a directory and of its subdirectories. Each subdirectory is an optional part: an installation
# leaves a part out by deleting it. The order is fixed, because an archive of classes is valid for one order. The jars in whose
# files a start looks come first, so that it opens few of the others.
find_class_path() {
    class_path=
    for jar in "$1"/updraft-*.jar "$1"/*/updraft-*.jar "$1"/picocli-*.jar "$1"/storm-client-*.jar; do
        [ ! -e "$jar" ] || class_path=$class_path:$jar
    done
    for jar in "$1"/*.jar "$1"/*/*.jar; do
        case ${jar##*/} in
            updraft-* | picocli-* | storm-client-* | '*.jar') ;;
            *) class_path=$class_path:$jar ;;
        esac
    done
    class_path=${class_path#:}
}

# Sets archive to the JVM's option for the archive of loaded classes, with which a start takes less time. An archive
# is for one JVM and one set of jars, by their names, sizes and times. Without an archive, the option asks Updraft to make one
# (io.updraft.cli.run.ClassArchive). The JVM ignores an archive that it cannot use. One that another user could have written
# is not used.
find_archive() {
    archive=
    case $state in
        *:*) return ;;
    esac
    set -f
    IFS=:
    # shellcheck disable=SC2086
    key=$(stat -Lc '%n %s %Y' "$java_home/lib/modules" $class_path 2>/dev/null) && key=$(echo "$key" | cksum) || key=
    unset IFS
    set +f
    [ -n "$key" ] || return 0
    file=$state/classes/${key%% *}-${key##* }.jsa
    # shellcheck disable=SC3067
    if [ -O "$file" ]; then
        archive=-XX:SharedArchiveFile=$file
    elif [ -z "${UPDRAFT_JAVA_OPTS:-}" ]; then
        archive=-Dupdraft.archive=$file
    fi
}

# Sets kind to what a command line needs: "small", a small JVM that starts fast; "program", the class loader of programs; "job".
# UPDRAFT_JAVA_OPTS is not for small JVMs: a heap of gigabytes or a debugger's port must not be taken twice.
find_kind() {
    kind=small
    if is_client "$@"; then
        return
    fi
    for word; do
        case $word in
            help | generate-completion) return ;;
            run | advise | bench)
                kind=program
                return
                ;;
            -*) ;;
            *)
                kind=job
                return
                ;;
        esac
    done
}

# Replaces this process with a small JVM that starts fast. Argument: the command line.
run_small() {
    # shellcheck disable=SC2086
    exec "$java" \
        -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m '-Xlog:cds*=off' ${archive:+"$archive"} $native \
        -Dupdraft.home="$home" -Dupdraft.state="$state" -Dupdraft.terminal=$terminal \
        -cp "$class_path" io.updraft.cli.Main "$@"
}

# Replaces this process with the JVM of a run. Argument: the command line.
run_job() {
    loader=
    # The transport aeron needs --add-opens: this process runs the media driver of all local workers.
    # The system class loader finds the classes of the program's jar, as in a Storm worker (io.updraft.storm.launch explains it).
    # With a custom class loader the JVM warns that it ignores archived classes; -Xshare:off prevents the warning.
    [ "$kind" != program ] ||
        loader="-Xshare:off -Djava.system.class.loader=io.updraft.storm.launch.SystemClassLoader --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"
    # The user's options come last, and the JVM lets the last one win.
    # shellcheck disable=SC2086
    exec "$java" \
        -XX:+UseParallelGC -XX:MaxRAMPercentage=50 '-Xlog:cds*=off' ${archive:+"$archive"} $loader $native \
        -XX:-OmitStackTraceInFastThrow -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath="$state/heapdumps" \
        -Dupdraft.home="$home" -Dupdraft.state="$state" -Dupdraft.terminal=$terminal \
        ${UPDRAFT_JAVA_OPTS:-} \
        -cp "$class_path" io.updraft.cli.Main "$@"
}

# Replaces this process with Updraft's JVM. Arguments: the installation's directory, that of the jars, the command line.
run_updraft() {
    home=$1
    find_class_path "$2"
    shift 2
    terminal=false
    [ -t 1 ] && [ -t 2 ] && terminal=true

    # JNA and other native code, of which newer JVMs warn otherwise.
    native=
    [ "$java_major" -lt 24 ] || native=--enable-native-access=ALL-UNNAMED

    archive=
    find_kind "$@"
    [ "$kind" = program ] || find_archive
    if [ "$kind" = small ]; then
        run_small "$@"
    else
        run_job "$@"
    fi
}
