package io.updraft.bench.aggregate.files;

/**
 * The specification of one run that reads files, sent to a child JVM.
 *
 * @param mode the part of the pipeline to run
 * @param description the pipeline's description in YAML
 * @param records the number of records in the files
 * @param bytes the size of the files in bytes
 */
public record FilesSpec(Mode mode, String description, long records, long bytes) {

    /** The part of the pipeline that runs. */
    public enum Mode {
        /** The whole pipeline. */
        PIPELINE,
        /** One thread that reads and decodes. */
        DECODE,
        /** One thread that only reads. */
        READ
    }
}
