# Functions of the scripts in this directory. Sets root, java, and running: the file whose first line is the cluster's home.

root=$(cd "$(dirname "$0")/../.." && pwd -P)
running=$root/fixtures/storm-cluster/target/cluster
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

die() {
    echo "$*" >&2
    exit 1
}

need_cluster() {
    home=
    [ ! -f "$running" ] || home=$(head -n 1 "$running")
    [ -d "$home" ] || die "no cluster is running: start one with examples/storm-cluster/up in another terminal"
}

# Runs the Java class that implements the scripts, with the Storm in STORM_HOME if it is set.
cluster_main() {
    fixture=$root/fixtures/storm-cluster/target
    storm=${STORM_HOME:-$fixture/storm}
    [ -d "$storm/lib" ] && [ -d "$storm/lib-worker" ] || die "STORM_HOME: there is no lib and lib-worker in $storm"
    exec "$java" -cp "$fixture/classes:$storm/lib-worker/*" -Dupdraft.storm.home="$storm" \
        -Dlog4j2.level=ERROR io.updraft.stormcluster.ClusterMain "$@"
}
