package io.updraft.pipeline.source;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.source.http.HttpSource;
import io.updraft.timeseries.decode.DecodeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Opens sources that need no coordinator. */
public final class SourceFactory {

    private SourceFactory() {}

    /**
     * Opens a source that may have been read before; it starts to read.
     *
     * @param spec any source but Kafka, which needs a coordinator
     * @param idle how long a partition may be without records before an idle event; zero for never
     * @param state the file for the positions; null for none
     * @param kept the positions that sinks store with their results, by partition, which take precedence over the state file; null
     *     if no sink stores any. Sources that are not resumed ignore them
     */
    public static RecordSource open(
            SourceSpec spec, DecodeSpec decode, Duration idle, Path state, Map<String, PartitionPosition> kept)
            throws SourceException {
        if (spec instanceof SourceSpec.Files files) {
            return new FileSource(files, decode, idle, state, kept);
        }
        if (spec instanceof SourceSpec.Stdin stdin) {
            return new StdinSource(stdin, decode);
        }
        if (spec instanceof SourceSpec.Generator generator) {
            return new GeneratorSource(generator);
        }
        if (spec instanceof SourceSpec.Http http) {
            return new HttpSource(http, idle, null);
        }
        throw new IllegalArgumentException("this source needs a coordinator: " + spec);
    }
}
