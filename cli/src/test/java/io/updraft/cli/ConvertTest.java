package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** {@code updraft convert} writes a whole copy, or one line and nothing. */
class ConvertTest {
    @TempDir
    Path directory;

    private Path old;

    @BeforeEach
    void write() throws Exception {
        old = jar("old.jar", "backtype/storm/topology/IRichBolt");
    }

    @Test
    void shouldConvertAJar() throws Exception {
        InProcessCommand convert = InProcessCommand.run("convert", file("old.jar"), file("new.jar"));

        assertThat(convert.exitCode()).isZero();
        assertThat(convert.out()).containsExactly(file("new.jar") + ": converted for Storm 2");
        try (JarFile jar = new JarFile(file("new.jar"))) {
            ClassReader type = new ClassReader(jar.getInputStream(jar.getEntry("com/acme/Words.class")));
            assertThat(type.getInterfaces()).containsExactly("org/apache/storm/topology/IRichBolt");
        }
    }

    @Test
    void shouldCopyAJarOfAnotherStorm() throws Exception {
        Path present = jar("present.jar", "org/apache/storm/topology/IRichBolt");
        InProcessCommand convert = InProcessCommand.run("convert", present.toString(), file("new.jar"));

        assertThat(convert.exitCode()).isZero();
        assertThat(convert.out()).containsExactly(file("new.jar") + ": copied; " + present + " does not use Storm 0.9");
        assertThat(directory.resolve("new.jar")).hasSameBinaryContentAs(present);
    }

    @Test
    void shouldNotReplaceAFile() throws Exception {
        byte[] before = Files.readAllBytes(old);
        refused(file("old.jar") + " exists; name a new file", file("old.jar"), file("old.jar"));
        refused(directory + " exists; name a new file", file("old.jar"), directory.toString());
        assertThat(old).hasBinaryContent(before);
    }

    @Test
    void shouldRefuseAJarThatCannotBeRead() throws Exception {
        refused(file("none.jar") + ": cannot be read: no such file", file("none.jar"), file("new.jar"));
        Files.writeString(directory.resolve("text.jar"), "text");
        refused(file("text.jar") + ": cannot be converted: ", file("text.jar"), file("new.jar"));
        byte[] bytes = Files.readAllBytes(old);
        // Inside the only class.
        for (int i = 60; i < 100; i++) {
            bytes[i] ^= 0x5a;
        }
        Files.write(directory.resolve("corrupt.jar"), bytes);
        refused(file("corrupt.jar") + ": cannot be converted: ", file("corrupt.jar"), file("new.jar"));
    }

    @Test
    void shouldLeaveNothingWhereItCannotWrite() throws Exception {
        String target = directory.resolve("none").resolve("new.jar").toString();
        refused(target + ": cannot be written: no such directory", file("old.jar"), target);
        String longName = file("n".repeat(254));
        refused(longName + ": cannot be written: File name too long", file("old.jar"), longName);
    }

    private void refused(String message, String from, String to) throws Exception {
        List<Path> before = files();
        InProcessCommand convert = InProcessCommand.run("convert", from, to);

        assertThat(convert.exitCode()).isEqualTo(2);
        assertThat(convert.err()).singleElement().asString().startsWith("updraft: " + message);
        assertThat(files()).isEqualTo(before);
    }

    private List<Path> files() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private Path jar(String name, String implemented) throws Exception {
        ClassWriter type = new ClassWriter(0);
        type.visit(
                Opcodes.V1_6, Opcodes.ACC_PUBLIC, "com/acme/Words", null, "java/lang/Object", new String[] {implemented
                });
        Path jar = directory.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("com/acme/Words.class"));
            out.write(type.toByteArray());
            out.putNextEntry(new JarEntry("words.txt"));
            out.write("to be or not to be".getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }
}
