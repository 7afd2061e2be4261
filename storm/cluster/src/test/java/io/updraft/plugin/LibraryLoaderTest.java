package io.updraft.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryLoaderTest {

    @TempDir
    private Path extlib;

    /** The plug-in as Storm loads it: from a jar in extlib. */
    private Class<?> worker(Class<?>... ofStorm) throws Exception {
        Path jar = pack(extlib.resolve("plugin.jar"), UpdraftWorker.class, LibraryLoader.class);
        Path storm = pack(extlib.resolve("storm.jar"), ofStorm);
        URLClassLoader storms =
                new URLClassLoader(new URL[] {jar.toUri().toURL(), storm.toUri().toURL()}, null);
        return storms.loadClass(UpdraftWorker.class.getName());
    }

    private static Path pack(Path jar, Class<?>... classes) throws Exception {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> each : classes) {
                String name = each.getName().replace('.', '/') + ".class";
                out.putNextEntry(new ZipEntry(name));
                out.write(each.getClassLoader().getResourceAsStream(name).readAllBytes());
            }
        }
        return jar;
    }

    @Test
    void shouldSayWhatIsMissingIfOnlyTheJarWasCopied() throws Exception {
        Class<?> worker = worker();
        assertThatThrownBy(() -> LibraryLoader.beside(worker))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        extlib.resolve("updraft") + " has no jars: unpack Updraft's archive into Storm's directory");
    }

    /** Storm 3 has the class that Updraft brings for Storm 2.8. */
    @Test
    void shouldLoadStormsClassesFromStormIfItHasThem() throws Exception {
        Files.createDirectory(extlib.resolve("updraft"));
        pack(extlib.resolve("updraft/own.jar"), Values.class, Fields.class);

        try (LibraryLoader loader = LibraryLoader.beside(worker(Values.class))) {
            assertThat(loader.loadClass(Values.class.getName()).getClassLoader())
                    .isSameAs(loader.getParent());
            assertThat(loader.loadClass(Fields.class.getName()).getClassLoader())
                    .isSameAs(loader);
        }
    }

    @Test
    void shouldPreferItsOwnClassesAndResourcesToThoseOfItsParent() throws Exception {
        Files.createDirectory(extlib.resolve("updraft"));
        pack(extlib.resolve("updraft/own.jar"), UpdraftValidator.class, Values.class);
        try (LibraryLoader loader = LibraryLoader.beside(worker())) {
            assertThat(loader.loadClass(Values.class.getName()).getClassLoader())
                    .isSameAs(loader);
            String resource = Values.class.getName().replace('.', '/') + ".class";
            assertThat(loader.getResource(resource).toString()).contains("own.jar");
            assertThat(loader.loadClass(UpdraftWorker.class.getName()).getClassLoader())
                    .isNotSameAs(loader);
            assertThat(loader.loadClass("java.lang.String")).isSameAs(String.class);
            assertThatThrownBy(() -> loader.loadClass("no.such.Class")).isInstanceOf(ClassNotFoundException.class);
        }
    }
}
