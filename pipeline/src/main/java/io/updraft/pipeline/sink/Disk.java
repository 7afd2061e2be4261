package io.updraft.pipeline.sink;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** What makes files last. */
final class Disk {

    private Disk() {}

    /** The folder of a file, which is made if it is missing. */
    static Path folder(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        return folder;
    }

    /** A file beside another, hidden, which becomes that one when it is whole. */
    static Path beside(Path file, String ending) throws IOException {
        return folder(file).resolve("." + file.getFileName() + ending);
    }

    /** Returns when the bytes of a file are on the disk. */
    static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** Returns when the names of a folder are on the disk: without it, a file may be lost with its name. */
    static void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Puts a file in the place of another: readers see the one or the other. */
    static void replace(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }
}
