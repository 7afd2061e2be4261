package io.updraft.bench.aggregate;

/**
 * The job of a {@link PipelineMain}.
 *
 * @param description the pipeline's description in YAML
 * @param records the number of records in the files
 * @param bytes the size of the files
 */
record PipelineJob(PipelinePart part, String description, long records, long bytes) {}
