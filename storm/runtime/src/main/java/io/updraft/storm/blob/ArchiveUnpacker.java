package io.updraft.storm.blob;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Unpacks archives of the kinds that Storm unpacks: zip, jar, tar and gzipped tar. */
final class ArchiveUnpacker {
    private ArchiveUnpacker() {}

    /** Unpacks an archive to an existing directory. The end of the archive's name tells its kind. */
    static void unpack(Path archive, Path to) throws IOException {
        String name = archive.getFileName().toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".zip") || name.endsWith(".jar")) {
            unzip(archive, to);
        } else if (name.endsWith(".tar") || name.endsWith(".tar.gz") || name.endsWith(".tgz")) {
            untar(archive, to);
        } else {
            throw new IOException(
                    archive + " cannot be unpacked: its name must end with .zip, .jar, .tar, .tar.gz or .tgz");
        }
    }

    private static void unzip(Path archive, Path to) throws IOException {
        Path root = to.toAbsolutePath().normalize();
        try (InputStream in = Files.newInputStream(archive);
                ZipInputStream zip = new ZipInputStream(in)) {
            ZipEntry entry;
            while ((entry = zip.getNextEntry()) != null) {
                Path file = root.resolve(entry.getName()).normalize();
                if (!file.startsWith(root)) {
                    throw new IOException(archive + ": entry " + entry.getName() + " points outside the directory");
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
    }

    /** Runs the system's tar program, as Storm does: the JDK cannot read tar files. */
    private static void untar(Path archive, Path to) throws IOException {
        Process tar = new ProcessBuilder("tar", "-xf", archive.toString(), "-C", to.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (tar.waitFor() != 0) {
                throw new IOException("tar could not unpack " + archive + ": " + output.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + archive + " was unpacked", e);
        }
    }
}
