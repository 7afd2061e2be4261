package io.updraft.storm.legacy;

import io.updraft.storm.legacy.bridge.LegacyCalls;
import io.updraft.storm.legacy.bridge.LegacyTypes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.Type;

/**
 * Converts jars of Storm 0.9 and 0.10 for Storm 2: names of Storm's packages in classes, in constants that are names of classes
 * and in names of files, and calls of methods that Storm has no more. The contents of files stay, except for those of services.
 */
public final class LegacyJar {
    private static final String CLASS = ".class";
    private static final String SERVICES = "META-INF/services/";

    /** What a converted jar needs besides Storm. */
    private static final List<String> BRIDGE = Stream.concat(
                    Stream.of(LegacyCalls.class, LegacyTypes.class), Stream.of(LegacyTypes.class.getDeclaredClasses()))
            .map(type -> Type.getInternalName(type) + CLASS)
            .toList();

    private LegacyJar() {}

    /**
     * Finds out whether a program is of Storm 0.9 or 0.10. The class decides that uses Storm's API and is nearest to the main
     * class, by the names of their packages. Mostly that is the main class itself: to read a whole jar takes seconds.
     *
     * @param jar the program's jar
     * @param mainClass the main class; empty if there is none
     * @return whether the jar must be converted
     * @throws IOException when the file cannot be read as a jar
     */
    public static boolean isOfLegacyProgram(Path jar, String mainClass) throws IOException {
        String path = mainClass.replace('.', '/') + CLASS;
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            Stream<JarEntry> nearest = file.stream()
                    .filter(entry -> entry.getName().endsWith(CLASS))
                    .sorted(Comparator.comparingInt(entry -> -commonStart(entry.getName(), path)));
            return Stream.concat(Stream.ofNullable(file.getJarEntry(path)), nearest)
                    .map(entry -> text(read(file, entry)))
                    .filter(LegacyClass::usesStorm)
                    .findFirst()
                    .filter(LegacyClass::isLegacy)
                    .isPresent();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static boolean isLegacy(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            return file.stream()
                    .filter(entry -> entry.getName().endsWith(CLASS))
                    .anyMatch(entry -> LegacyClass.isLegacy(text(read(file, entry))));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static int commonStart(String first, String second) {
        int mismatch = Arrays.mismatch(first.toCharArray(), second.toCharArray());
        return mismatch < 0 ? first.length() : mismatch;
    }

    /**
     * Writes a copy, which is converted if any class uses the API of Storm 0.9 or 0.10. A converted copy has no signatures, because
     * its classes are others.
     *
     * @param source a jar
     * @param target the file to write
     * @return whether the copy is converted
     * @throws IOException when a file cannot be read or written, or an entry is no class although it is named so
     */
    public static boolean convert(Path source, Path target) throws IOException {
        Path part = target.resolveSibling(target.getFileName() + ".part");
        boolean legacy = isLegacy(source);
        try {
            if (legacy) {
                write(source, part);
            } else {
                Files.copy(source, part);
            }
            Files.move(part, target);
            return legacy;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void write(Path source, Path target) throws IOException {
        try (JarFile file = new JarFile(source.toFile(), false);
                OutputStream out = Files.newOutputStream(target);
                JarOutputStream jar = new JarOutputStream(out)) {
            LegacyMethods methods = new LegacyMethods();
            Set<String> written = new HashSet<>();
            for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                for (String name : newNames(entry.getName())) {
                    if (written.add(name)) {
                        begin(jar, name, entry.getTime());
                        writeContent(jar, file, entry, methods);
                    }
                }
            }
            for (String name : BRIDGE) {
                if (written.add(name)) {
                    begin(jar, name, System.currentTimeMillis());
                    jar.write(own(name));
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Returns the names of an entry in the copy. Programs find files by text, which stays: a file keeps its old name too. */
    private static Set<String> newNames(String name) {
        if (isSignature(name)) {
            return Set.of();
        }
        if (isService(name)) {
            return Set.of(SERVICES + LegacyNames.ofText(name.substring(SERVICES.length())));
        }
        String present = LegacyNames.ofPath(name);
        return name.endsWith(CLASS) || present.equals(name) ? Set.of(present) : Set.of(name, present);
    }

    private static void begin(JarOutputStream jar, String name, long time) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setTime(time);
        jar.putNextEntry(entry);
    }

    private static void writeContent(JarOutputStream jar, JarFile file, JarEntry entry, LegacyMethods methods)
            throws IOException {
        if (entry.getName().endsWith(CLASS)) {
            jar.write(converted(entry.getName(), read(file, entry), methods));
        } else if (isService(entry.getName())) {
            jar.write(providers(read(file, entry)));
        } else {
            try (InputStream in = file.getInputStream(entry)) {
                in.transferTo(jar);
            }
        }
    }

    private static byte[] converted(String name, byte[] bytes, LegacyMethods methods) throws IOException {
        if (!LegacyClass.isLegacy(text(bytes))) {
            return bytes;
        }
        try {
            return LegacyClass.convert(bytes, methods);
        } catch (RuntimeException e) {
            throw new IOException(name + " cannot be converted for Storm 2: " + e, e);
        }
    }

    /** Converts the names of a service's classes. */
    private static byte[] providers(byte[] names) {
        return text(names)
                .lines()
                .map(line -> LegacyNames.ofText(line.strip()))
                .collect(Collectors.joining("\n", "", "\n"))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static boolean isService(String name) {
        return name.startsWith(SERVICES) && name.length() > SERVICES.length();
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
