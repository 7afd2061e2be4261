package io.updraft.cluster.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles sources from the test resources, so that their classes are only where a test puts them.
 *
 * @param classes the directory of the compiled classes
 */
record CompiledProgram(Path classes) {

    /** Compiles some of them together. */
    static CompiledProgram of(Path classes, String... names) throws IOException {
        List<JavaFileObject> sources = new ArrayList<>();
        for (String name : names) {
            try (var in = CompiledProgram.class.getResourceAsStream("/programs/" + name)) {
                sources.add(new Source(name, new String(in.readAllBytes())));
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of("-d", Files.createDirectory(classes).toString(), "-proc:none");
        assertThat(compiler.getTask(messages, null, null, options, null, sources)
                        .call())
                .as(messages.toString())
                .isTrue();
        return new CompiledProgram(classes);
    }

    /** Packs one package. */
    Path jar(String packageName, Path jar) throws IOException {
        Path folder = classes.resolve(packageName.replace('.', '/'));
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
            }
        }
        return jar;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        private Source(String name, String text) {
            super(URI.create("string:///" + name), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
