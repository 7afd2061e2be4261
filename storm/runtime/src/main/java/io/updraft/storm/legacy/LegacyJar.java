package io.updraft.storm.legacy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * Converts jars of Storm 0.9 and 0.10 for Storm 2: names of Storm's packages in classes, in constants that are names of classes
 * and in names of files, and calls of methods that Storm has no more. As in Storm 1, the names in other files stay.
 */
public final class LegacyJar {
    private static final String CLASS = ".class";

    /** What a converted jar needs besides Storm, without the package. */
    private static final List<String> BRIDGE = List.of(
            "LegacyCalls",
            "LegacyScheme",
            "LegacyMultiScheme",
            "LegacyOutputCollector",
            "LegacySpoutOutputCollector",
            "LegacyTridentCollector",
            "LegacyPartitionEmitter",
            "LegacyOpaqueEmitter");

    private LegacyJar() {}

    /**
     * Finds out whether a jar is of Storm 0.9 or 0.10. The first class that uses Storm's API decides: in most jars the program's
     * own classes come before its libraries, which then need not be read.
     *
     * @param jar the jar
     * @return whether the jar must be converted
     * @throws IOException when the file cannot be read as a jar
     */
    public static boolean isLegacy(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .filter(entry -> entry.getName().endsWith(CLASS))
                    .map(entry -> new String(read(file, entry), StandardCharsets.ISO_8859_1))
                    .filter(LegacyClass::usesStorm)
                    .findFirst()
                    .filter(LegacyClass::isLegacy)
                    .isPresent();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * Writes a converted copy. The copy has no signatures, because its classes are others.
     *
     * @param from a jar
     * @param to the file to write
     * @throws IOException when a file cannot be read or written, or an entry is no class although it is named so
     */
    public static void convert(Path from, Path to) throws IOException {
        Path part = to.resolveSibling(to.getFileName() + ".part");
        try {
            write(from, part);
            Files.move(part, to);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void write(Path from, Path to) throws IOException {
        try (JarFile file = new JarFile(from.toFile());
                OutputStream out = Files.newOutputStream(to);
                JarOutputStream jar = new JarOutputStream(out)) {
            LegacyMethods methods = new LegacyMethods();
            Set<String> written = new HashSet<>();
            for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                String name = LegacyNames.ofPath(entry.getName());
                if (!isSignature(name) && written.add(name)) {
                    write(jar, name, entry.getTime(), converted(entry.getName(), read(file, entry), methods));
                }
            }
            for (String each : BRIDGE) {
                String name = LegacyMethods.CALLS.replace("LegacyCalls", each) + CLASS;
                if (written.add(name)) {
                    write(jar, name, System.currentTimeMillis(), own(name));
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static byte[] converted(String name, byte[] bytes, LegacyMethods methods) throws IOException {
        if (!name.endsWith(CLASS) || !LegacyClass.isLegacy(new String(bytes, StandardCharsets.ISO_8859_1))) {
            return bytes;
        }
        try {
            return LegacyClass.convert(bytes, methods);
        } catch (RuntimeException e) {
            throw new IOException(name + " cannot be converted for Storm 2: " + e, e);
        }
    }

    private static void write(JarOutputStream jar, String name, long time, byte[] bytes) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setTime(time);
        jar.putNextEntry(entry);
        jar.write(bytes);
        jar.closeEntry();
    }

    private static boolean isSignature(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return upper.equals("META-INF/INDEX.LIST")
                || upper.startsWith("META-INF/")
                        && Stream.of(".SF", ".RSA", ".DSA", ".EC").anyMatch(upper::endsWith);
    }

    private static byte[] read(JarFile file, JarEntry entry) {
        try (InputStream in = file.getInputStream(entry)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(file.getName() + ": " + entry.getName() + ": " + e.getMessage(), e);
        }
    }

    private static byte[] own(String name) throws IOException {
        try (InputStream in = LegacyJar.class.getClassLoader().getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }
}
