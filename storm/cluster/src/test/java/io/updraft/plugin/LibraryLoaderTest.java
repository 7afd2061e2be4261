package io.updraft.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryLoaderTest {

    @TempDir
    private Path extlib;

    /** The plug-in as Storm loads it: from a jar in extlib. */
    private Class<?> worker() throws Exception {
        Path jar = pack(extlib.resolve("plugin.jar"), UpdraftWorker.class, LibraryLoader.class);
        URLClassLoader storms = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null);
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
