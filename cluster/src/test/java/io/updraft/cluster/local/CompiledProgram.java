package io.updraft.cluster.local;

import io.updraft.base.testing.CompiledJar;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Compiles sources from the test resources, so that their classes are only where a test puts them.
 *
 * @param classes the directory of the compiled classes
 */
record CompiledProgram(Path classes) {

    /** Compiles some of them together. */
    static CompiledProgram of(Path classes, String... names) throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (String name : names) {
            try (var in = CompiledProgram.class.getResourceAsStream("/programs/" + name)) {
                sources.put(name.replace(".java", ""), new String(in.readAllBytes()));
            }
        }
        return new CompiledProgram(CompiledJar.compile(classes, sources));
    }

    /** Packs one package. */
    Path jar(String packageName, Path jar) throws IOException {
        return CompiledJar.pack(classes, classes.resolve(packageName.replace('.', '/')), jar);
    }
}
