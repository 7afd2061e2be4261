# Functions for .ci/run and quality/long-tests, which source this file: run steps one after the other, and print a summary at the end.
# shellcheck shell=bash

maven=(./mvnw -B --no-transfer-progress -Dsummary.skip=true)
# Surefire prints only warnings: the summary of each step has the counts, and the report of a test has its output.
export MAVEN_OPTS="${MAVEN_OPTS:-} -Dorg.slf4j.simpleLogger.log.org.apache.maven.plugin.surefire=warn"
summary=()
tests_run=0
tests_failed=0
tests_skipped=0
status=0

# When this script ends, in any way, .mvn/reap ends its processes. Only this script holds the other end of the pipe.
UPDRAFT_CI=$(mktemp -d "${TMPDIR:-/tmp}/updraft-ci.XXXXXX")
mkfifo "$UPDRAFT_CI/alive"
.mvn/reap UPDRAFT_CI "$UPDRAFT_CI" <"$UPDRAFT_CI/alive" &
exec 9>"$UPDRAFT_CI/alive"
export UPDRAFT_CI

heading() {
    printf '\n=== %s (%d s since the start)\n' "$*" "$SECONDS"
}

# Runs a step and records its outcome. Arguments: the name, the command. The other steps run even if this one fails.
step() {
    local name=$1 began=$SECONDS outcome=ok
    shift
    heading "$name"
    "$@" 9>&- || outcome=FAILED
    [ "$outcome" = ok ] || status=1
    summary+=("$outcome: $name, $((SECONDS - began)) s")
}

# Runs a step with tests in Maven. Arguments: the name, Maven's options. Prints the counts, the slowest classes, and the failed
# and flaky tests, whose reports are kept in target/failures.
test_step() {
    local name=$1 report
    shift
    find . -path '*/target/surefire-reports/*' -type f -delete
    step "$name" "${maven[@]}" --fail-at-end "$@"
    report=$("${JAVA_HOME:+$JAVA_HOME/bin/}java" .mvn/TestSummary.java . '' "target/failures/${name//[^A-Za-z0-9]/-}")
    printf '%s\n' "$report"
    if [[ "$report" =~ Tests:\ ([0-9]+)\ run,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped ]]; then
        tests_run=$((tests_run + BASH_REMATCH[1]))
        tests_failed=$((tests_failed + BASH_REMATCH[2]))
        tests_skipped=$((tests_skipped + BASH_REMATCH[3]))
    else
        status=1
    fi
    # Adds the names and messages of failed and flaky tests to the summary.
    summary+=("    ${report##*$'\n'}" "$(sed -n '/^F[A-Z]*[: ]/,/^[^ ]/{/^F[A-Z]*[: ]/p;/^    [^ ]/p}' <<<"$report")")
}

# Prints the summary and exits: 0 if all steps have passed, else 1.
finish() {
    heading "summary"
    printf '%s\n' "${summary[@]}" | sed '/^$/d'
    echo "$((tests_run - tests_failed - tests_skipped)) passed, $tests_failed failed, $tests_skipped skipped"
    exit "$status"
}
