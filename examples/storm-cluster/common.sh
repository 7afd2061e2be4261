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

# Runs the Java class that implements the scripts.
cluster_main() {
    fixture=$root/fixtures/storm-cluster/target
    exec "$java" -cp "$fixture/classes:$fixture/storm/lib-worker/*" \
        -Dlog4j2.level=ERROR io.updraft.stormcluster.ClusterMain "$@"
}
