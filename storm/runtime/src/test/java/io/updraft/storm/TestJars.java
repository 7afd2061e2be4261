package io.updraft.storm;

import com.acme.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Packs {@link Programs} into a jar. */
public final class TestJars {
    private TestJars() {}

    public static Path programs(Path folder) throws IOException {
        return programs(folder, Map.of());
    }

    /** With more files in it, by name. */
    public static Path programs(Path folder, Map<String, String> files) throws IOException {
        Path jar = folder.resolve("programs.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> type : programClasses()) {
                String name = type.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(name));
                try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
                    in.transferTo(out);
                }
            }
            for (Map.Entry<String, String> file : files.entrySet()) {
                out.putNextEntry(new JarEntry(file.getKey()));
                out.write(file.getValue().getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    private static Set<Class<?>> programClasses() {
        Set<Class<?>> classes = new LinkedHashSet<>();
        classes.add(Programs.class);
        classes.addAll(java.util.List.of(Programs.class.getDeclaredClasses()));
        return classes;
    }
}
