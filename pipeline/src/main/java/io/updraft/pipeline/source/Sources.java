package io.updraft.pipeline.source;

import io.updraft.timeseries.decode.DecodeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Opens sources that need nothing but themselves. */
public final class Sources {

    private Sources() {}

    /**
     * Opens a source; it begins to read.
     *
     * @param spec any but Kafka's, which needs to know who the other processes are
     * @param decode what its records are
     * @param idle after how long a unit without records is told to be idle; zero for never
     * @param state the file where positions are kept; null for none
     * @throws SourceException when it cannot be opened
     */
    public static Source open(SourceSpec spec, DecodeSpec decode, Duration idle, Path state) throws SourceException {
        return open(spec, decode, idle, state, null);
    }

    /**
     * Opens a source that may have been read before; it begins to read.
     *
     * @param spec any but Kafka's, which needs to know who the other processes are
     * @param decode what its records are
     * @param idle after how long a unit without records is told to be idle; zero for never
     * @param state the file where positions are kept; null for none
     * @param kept positions that sinks have kept with results, by unit, which count more than the file; null if no sink keeps any. Sources
     *     that are not resumed take no notice
     * @throws SourceException when it cannot be opened
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
            return new HttpSource(http, idle);
        }
        throw new IllegalArgumentException("not opened here: " + spec);
    }
}
