package io.updraft.cluster.local;

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
 * own: the next one does. Whether a coordinator is gone is asked of its socket, which refuses then, and not of the list of
 * processes, which says nothing of other containers that share the directory.
 */
final class RunDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(RunDirectory.class);

    private static final String PREFIX = "updraft-run-";
    private static final String SOCKET = "control";

    /** A younger one may be about to be listened at. */
    private static final Duration LEAST_AGE = Duration.ofMinutes(1);

    private RunDirectory() {}

    /**
     * Makes a new one.
     *
     * @param parent where
     */
    static Path create(Path parent) throws IOException {
        return Files.createTempDirectory(
                parent, PREFIX, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** {@return where its coordinator listens} */
    static Path socketIn(Path directory) {
        return directory.resolve(SOCKET);
    }

    static void remove(Path directory) throws IOException {
        Files.deleteIfExists(socketIn(directory));
        Files.deleteIfExists(directory);
    }

    /**
     * Removes what coordinators of this user left behind that are gone; one that cannot be removed is no reason not to run.
     *
     * @param parent where to look
     * @param now the time, against which their age is measured
     */
    static void removeAbandoned(Path parent, Instant now) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path directory : all) {
                removeIfAbandoned(directory, now);
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("what is left of earlier runs stays in {}", parent, e);
        }
    }

    private static void removeIfAbandoned(Path directory, Instant now) {
        try {
            if (isAbandoned(directory, now)) {
                remove(directory);
            }
        } catch (IOException e) {
            LOG.debug("{}, left of an earlier run, stays", directory, e);
        }
    }

    private static boolean isAbandoned(Path directory, Instant now) throws IOException {
        return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                && Files.isReadable(directory)
                && Files.getLastModifiedTime(directory).toInstant().isBefore(now.minus(LEAST_AGE))
                && (Files.notExists(socketIn(directory)) || refuses(socketIn(directory)));
    }

    private static boolean refuses(Path socket) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false); // one that is stopped may have no room for another caller
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
