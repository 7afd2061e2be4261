import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Downloads Maven for {@code mvnw}: downloads a zip, verifies its digest, unpacks it next to its destination and moves it there
 * in one step. So two runs at once, or a killed run, never leave an incomplete Maven.
 *
 * <p>Written in Java because every build has a JDK. Runs from source.
 */
final class FetchMaven {

    private static final Duration DOWNLOAD_LIMIT = Duration.ofMinutes(5);

    private FetchMaven() {}

    /** Arguments: the zip's URL, its SHA-512 in hex, the one folder inside the zip, the destination. */
    public static void main(String[] args) {
        try {
            fetch(URI.create(args[0]), args[1], args[2], Path.of(args[3]));
        } catch (ExecutionException failure) {
            fail(args[0], failure.getCause());
        } catch (Exception failure) {
            fail(args[0], failure);
        }
    }

    private static void fail(String url, Throwable failure) {
        // Network failures often have no message; then the name of the type is printed (ConnectException, TimeoutException).
        String message = failure.getMessage();
        System.err.println(url + ": " + (message == null ? failure.getClass().getSimpleName() : message));
        System.exit(1);
    }

    private static void fetch(URI url, String sha512, String folder, Path destination) throws Exception {
        Files.createDirectories(destination.getParent());
        Path work = Files.createTempDirectory(destination.getParent(), ".fetch-");
        // A shutdown hook also runs on Ctrl-C.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(work)));
        Path zip = work.resolve("maven.zip");
        download(url, zip);
        verify(zip, sha512);
        unzip(zip, work);
        makeExecutable(work.resolve(folder).resolve("bin"));
        moveUnlessThere(work.resolve(folder), destination);
    }

    private static void download(URI url, Path to) throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .connectTimeout(Duration.ofSeconds(15))
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
        HttpResponse<Path> response = client.sendAsync(HttpRequest.newBuilder(url).build(), answer -> announce(url, to, answer))
                .get(DOWNLOAD_LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (response.statusCode() != 200) {
            throw new IOException("the server answered " + response.statusCode());
        }
    }

    private static HttpResponse.BodySubscriber<Path> announce(URI url, Path to, HttpResponse.ResponseInfo answer) {
        if (answer.statusCode() == 200) {
            System.out.println("mvnw: fetching " + url);
        }
        return HttpResponse.BodySubscribers.ofFile(to);
    }

    private static void verify(Path file, String expected) throws Exception {
        MessageDigest sha512 = MessageDigest.getInstance("SHA-512");
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), sha512)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        String actual = HexFormat.of().formatHex(sha512.digest());
        if (!actual.equals(expected)) {
            throw new IOException("the file's SHA-512 is " + actual + ", not " + expected + " as pinned in mvnw");
        }
    }

    private static void unzip(Path zip, Path into) throws IOException {
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Path target = into.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else {
                    Files.createDirectories(target.getParent());
                    Files.copy(in, target);
                }
            }
        }
    }

    private static void makeExecutable(Path bin) throws IOException {
        // Zip entries that are read as a stream have no permissions.
        for (String script : List.of("mvn", "mvnDebug")) {
            bin.resolve(script).toFile().setExecutable(true, false);
        }
    }

    private static void moveUnlessThere(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException anotherRunWasFaster) {
            if (!Files.isDirectory(to)) {
                throw anotherRunWasFaster;
            }
        }
    }

    private static void delete(Path tree) {
        try (Stream<Path> paths = Files.walk(tree)) {
            paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException leftBehind) {
            // A leftover in the cache is harmless: no later run uses it.
        }
    }
}
