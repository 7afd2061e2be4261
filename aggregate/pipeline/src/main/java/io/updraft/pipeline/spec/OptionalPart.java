package io.updraft.pipeline.spec;

import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.YamlNode;

/** A library that an installation may leave out. Its absence is a mistake of the pipeline that needs it, found before the start. */
enum OptionalPart {
    REDIS("redis.clients.jedis.Connection", "sink-redis"),
    POSTGRESQL("org.postgresql.Driver", "sink-postgresql"),
    PARQUET("org.apache.parquet.hadoop.ParquetWriter", "sink-parquet"),
    ROCKSDB("org.rocksdb.RocksDB", "spill-rocksdb");

    private final String type;
    private final String directory;

    OptionalPart(String type, String directory) {
        this.type = type;
        this.directory = directory;
    }

    /** Adds a mistake if this part is not installed. */
    void require(YamlNode where, String feature, Mistakes mistakes) {
        if (!isPresent(type)) {
            mistakes.add(
                    where,
                    feature + " needs " + directory + ", which this installation leaves out: restore the directory lib/"
                            + directory + " from Updraft's archive");
        }
    }

    static boolean isPresent(String type) {
        try {
            Class.forName(type, false, OptionalPart.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError missing) {
            return false;
        }
    }
}
