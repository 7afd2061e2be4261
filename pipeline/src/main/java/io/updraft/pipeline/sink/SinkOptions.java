package io.updraft.pipeline.sink;

/** What a sink is told. Each kind of sink has its own record of options; what is wrong in one is said when it is made. */
public sealed interface SinkOptions
        permits ConsoleSinkOptions, FileSinkOptions, KafkaSinkOptions, PostgresSinkOptions, RedisSinkOptions {

    /** A new sink that does as it is told here. Nothing is connected or opened before {@link Sink#open}. */
    Sink sink();
}
