package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The identity of a file, independent of its name. The file system reuses the numbers of deleted files, so the first bytes are
 * part of the identity.
 *
 * @param key the device and number of the file, or its path on a file system without numbers
 * @param length how many of the first bytes are hashed
 */
record FileIdentity(String key, int length, long hash) {

    /** The identity of no file. */
    static final FileIdentity NONE = new FileIdentity("none", 0, 0);

    private static final int MAX_BYTES = 1024;

    static FileIdentity of(Path path) throws IOException {
        return of(path, MAX_BYTES);
    }

    private static FileIdentity of(Path path, int length) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return of(key(path), channel, length);
        }
    }

    static FileIdentity of(String key, FileChannel channel) throws IOException {
        return of(key, channel, MAX_BYTES);
    }

    private static FileIdentity of(String key, FileChannel channel, int length) throws IOException {
        byte[] head = UnpackedContent.bytes(channel, 0, length);
        return new FileIdentity(key, head.length, ContentFingerprint.hash(head, 0, head.length));
    }

    /** Returns the identity over more of the first bytes, if the file was short and has grown. */
    FileIdentity grown(FileChannel channel) throws IOException {
        boolean mayGrow = length < MAX_BYTES && isStillOf(channel);
        return mayGrow ? of(key, channel, MAX_BYTES) : this;
    }

    /** Returns the device and number of the file at a path. */
    static String key(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return (key == null ? path.toRealPath().toString() : key.toString()).replace('\t', ' ');
    }

    boolean isStillOf(Path path) throws IOException {
        FileIdentity now = of(path, length);
        return now.length == length && now.hash == hash;
    }

    /** Opens the file at a path; returns null if it is another one. */
    FileChannel open(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            if (key.equals(key(path)) && isStillOf(channel)) {
                return channel;
            }
        } catch (IOException e) {
            OpenFile.release(channel);
            throw e;
        }
        OpenFile.release(channel);
        return null;
    }

    boolean isStillOf(FileChannel channel) throws IOException {
        return of(key, channel, length).equals(this);
    }
}
