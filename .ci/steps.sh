# Sourced by .ci/run and bin/long-tests: steps, one after the other, with a summary at the end. Prints little while all is well.
# shellcheck shell=bash

maven=(./mvnw -B --no-transfer-progress -Dsummary.skip=true)
# The summary of each step has the counts, and the report of a test what it printed.
export MAVEN_OPTS="${MAVEN_OPTS:-} -Dorg.slf4j.simpleLogger.log.org.apache.maven.plugin.surefire=warn"
summary=()
tests_run=0
tests_failed=0
tests_skipped=0
status=0

# When this script is gone, however it went, nothing that it started stays behind: only it holds the pipe's other end.
UPDRAFT_CI=$(mktemp -d "${TMPDIR:-/tmp}/updraft-ci.XXXXXX")
mkfifo "$UPDRAFT_CI/alive"
.mvn/reap UPDRAFT_CI "$UPDRAFT_CI" <"$UPDRAFT_CI/alive" &
exec 9>"$UPDRAFT_CI/alive"
export UPDRAFT_CI

heading() {
    printf '\n=== %s (%d s since the start)\n' "$*" "$SECONDS"
}

# Runs one step, named first, and notes how it went. A step that fails does not keep the others from running.
step() {
    local name=$1 began=$SECONDS outcome=ok
    shift
    heading "$name"
    "$@" 9>&- || outcome=FAILED
    [ "$outcome" = ok ] || status=1
    summary+=("$outcome: $name, $((SECONDS - began)) s")
}

# The same for a step that runs tests through Maven, with their number, the slowest, and those that failed, if only at first:
# the reports of these are kept in target/failures.
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
    # Of what failed and what is flaky, the tests and the messages.
    summary+=("    ${report##*$'\n'}" "$(sed -n '/^F[A-Z]*[: ]/,/^[^ ]/{/^F[A-Z]*[: ]/p;/^    [^ ]/p}' <<<"$report")")
}

# Prints the summary and ends with the status of all steps.
finish() {
    heading "summary"
    printf '%s\n' "${summary[@]}" | sed '/^$/d'
    echo "$((tests_run - tests_failed - tests_skipped)) passed, $tests_failed failed, $tests_skipped skipped"
    exit "$status"
}
