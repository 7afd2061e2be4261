package io.updraft.observe.profile;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** Records stacks of this process from its creation on. Used by one thread. */
interface StackRecording extends Closeable {
    /** {@return what records} */
    String tool();

    /** Ends the recording. {@return the stacks} */
    SampledStacks stacks() throws IOException;

    /** Ends the recording, and writes it to a new file. */
    void writeJfr(Path file) throws IOException;

    /** Ends the recording if necessary, and removes what it has left in the file system. */
    @Override
    void close() throws IOException;
}
