package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Which file it is, whatever it is called: numbers of files are given again when one was deleted, so the first bytes count too.
 *
 * @param key device and number of the file, or its path where there are none
 * @param length how many bytes are hashed
 * @param hash of the first bytes
 */
record FileIdentity(String key, int length, long hash) {

    private static final int MOST = 1024;

    /** The file that a path names now. */
    static FileIdentity of(Path path) throws IOException {
        return of(path, MOST);
    }

    private static FileIdentity of(Path path, int length) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return of(key(path), channel, length);
        }
    }

    /** The file that is open as a channel, by a key that was seen before. */
    static FileIdentity of(String key, FileChannel channel) throws IOException {
        return of(key, channel, MOST);
    }

    private static FileIdentity of(String key, FileChannel channel, int length) throws IOException {
        byte[] head = Content.bytes(channel, 0, length);
        return new FileIdentity(key, head.length, ContentMark.hash(head, 0, head.length));
    }

    /** The same file, by more of its first bytes if there were few. */
    FileIdentity grown(FileChannel channel) throws IOException {
        boolean mayGrow = length < MOST && isStillOf(channel);
        return mayGrow ? of(key, channel, MOST) : this;
    }

    /** Device and number of the file that a path names now. */
    static String key(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return (key == null ? path.toAbsolutePath().toString() : key.toString()).replace('\t', ' ');
    }

    /** Whether the file that a path names now begins as this one did. */
    boolean isStillOf(Path path) throws IOException {
        FileIdentity now = of(path, length);
        return now.length == length && now.hash == hash;
    }

    /** Whether it is this file that a path names now, and that is open as a channel. */
    boolean isOf(Path path, FileChannel channel) throws IOException {
        return key.equals(key(path)) && isStillOf(channel);
    }

    /** Whether a file that is open begins as this one did. */
    boolean isStillOf(FileChannel channel) throws IOException {
        return of(key, channel, length).equals(this);
    }
}
