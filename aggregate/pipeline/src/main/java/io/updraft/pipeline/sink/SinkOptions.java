package io.updraft.pipeline.sink;

/** The options of a sink. Each kind of sink has its own record, whose constructor checks the values. */
public sealed interface SinkOptions
        permits ConsoleSinkOptions, FileSinkOptions, KafkaSinkOptions, PostgresSinkOptions, RedisSinkOptions {

    /** Returns a new sink with these options. It connects to nothing before {@link Sink#open}. */
    Sink sink();
}
