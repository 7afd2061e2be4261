package io.updraft.base.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles programs whose classes exist only where a test puts them. */
public final class CompiledJar {
    private CompiledJar() {}

    /** Compiles one class into a jar of its own. */
    public static Path of(Path folder, String name, String className, String source) throws IOException {
        Path classes = compile(folder.resolve(name + "-classes"), Map.of(className, source));
        return pack(classes, classes, folder.resolve(name + ".jar"));
    }

    /** Compiles sources by their class names into a new directory, and returns it. */
    public static Path compile(Path classes, Map<String, String> sources, String... options) throws IOException {
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((type, text) -> units.add(new Source(type, text)));
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("-d", Files.createDirectory(classes).toString(), "-proc:none"));
        StringWriter messages = new StringWriter();
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .getTask(messages, null, null, all, null, units)
                        .call())
                .as(messages.toString())
                .isTrue();
        return classes;
    }

    /** Packs the classes below a folder by their names. */
    public static Path pack(Path classes, Path folder, Path jar) throws IOException {
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

        private Source(String type, String text) {
            super(URI.create("string:///" + type.replace('.', '/') + ".java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
