# What the scripts beside this file share. Sets root, running (the file that says where the cluster is) and java.

root=$(cd "$(dirname "$0")/../.." && pwd -P)
running=$root/storm-cluster-fixture/target/cluster
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

die() {
    echo "$*" >&2
    exit 1
}

need_cluster() {
    home=
    [ ! -f "$running" ] || home=$(head -n 1 "$running")
    [ -d "$home" ] || die "no cluster runs: start one by examples/storm-cluster/up, in another terminal"
}

# Runs the class behind the scripts.
cluster_main() {
    fixture=$root/storm-cluster-fixture/target
    exec "$java" -cp "$fixture/classes:$fixture/storm/lib-worker/*" \
        -Dlog4j2.level=ERROR io.updraft.stormcluster.ClusterMain "$@"
}
