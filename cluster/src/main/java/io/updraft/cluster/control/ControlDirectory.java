package io.updraft.cluster.control;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a coordinator's socket, which only this user may enter. A coordinator that is killed cannot remove its
 * directory, so a later coordinator removes it. A connection attempt to the socket shows whether the coordinator is gone: then
 * the socket refuses. The list of processes does not show this, because other containers may share the directory.
 */
final class ControlDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(ControlDirectory.class);

    private static final String PREFIX = "updraft-run-";
    private static final String SOCKET = "control";

    /** A younger directory may belong to a coordinator that does not listen yet. */
    private static final Duration MIN_AGE = Duration.ofMinutes(1);

    private ControlDirectory() {}

    static Path create(Path parent) throws IOException {
        return Files.createTempDirectory(
                parent, PREFIX, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    static Path socketIn(Path directory) {
        return directory.resolve(SOCKET);
    }

    static void remove(Path directory) throws IOException {
        Files.deleteIfExists(socketIn(directory));
        Files.deleteIfExists(directory);
    }

    /**
     * Removes the directories of this user's coordinators that have ended. A directory that cannot be removed is left, and does
     * not prevent a run.
     *
     * @param parent the directory to search
     * @param now the current time, from which the age of a directory is computed
     */
    static void removeAbandoned(Path parent, Instant now) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path directory : all) {
                removeIfAbandoned(directory, now);
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("cannot remove directories of earlier runs in {}", parent, e);
        }
    }

    private static void removeIfAbandoned(Path directory, Instant now) {
        try {
            if (isAbandoned(directory, now)) {
                remove(directory);
            }
        } catch (IOException e) {
            LOG.debug("cannot remove {} of an earlier run", directory, e);
        }
    }

    private static boolean isAbandoned(Path directory, Instant now) throws IOException {
        return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                && Files.isReadable(directory)
                && Files.getLastModifiedTime(directory).toInstant().isBefore(now.minus(MIN_AGE))
                && (Files.notExists(socketIn(directory)) || refuses(socketIn(directory)));
    }

    private static boolean refuses(Path socket) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false); // the queue of a stopped coordinator may be full
            channel.connect(UnixDomainSocketAddress.of(socket));
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (SocketException e) {
            return String.valueOf(e.getMessage()).contains("refused");
        } catch (IOException e) {
            return false;
        }
    }
}
