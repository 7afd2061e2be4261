package io.updraft.pipeline.source;

import io.updraft.timeseries.decode.DecodeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Opens sources that need no coordinator. */
public final class Sources {

    private Sources() {}

    /**
     * Opens a source that may have been read before; it starts to read.
     *
     * @param spec any source but Kafka, which needs a coordinator
     * @param decode the format of the records
     * @param idle how long a unit may be without records before an idle event; zero for never
     * @param state the file for the positions; null for none
     * @param kept the positions that sinks store with their results, by unit, which take precedence over the state file; null
     *     if no sink stores any. Sources that are not resumed ignore them
     * @throws SourceException when the source cannot be opened
     */
    public static Source open(SourceSpec spec, DecodeSpec decode, Duration idle, Path state, Map<String, Commit> kept)
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
