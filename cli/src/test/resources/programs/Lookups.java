package shop;

import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.apache.storm.utils.ReflectionUtils;

/** Ways to find classes and files. */
public final class Lookups {
    private Lookups() {}

    /** Prints each way, and whether it works. */
    static void print(String where) {
        print(where, "a service in supplyAsync", () -> CompletableFuture.supplyAsync(
                        () -> ServiceLoader.load(Tax.class).iterator().next())
                .get());
        print(where, "a class in the common pool", () -> ForkJoinPool.commonPool()
                .submit(() -> Class.forName(
                        "shop.Lookups$Vat", true, Thread.currentThread().getContextClassLoader()))
                .get());
        print(where, "a class for Storm in the common pool", () -> ForkJoinPool.commonPool()
                .submit(() -> (Object) ReflectionUtils.newInstance("shop.Lookups$Duty"))
                .get());
        print(where, "a resource of the system", () -> ClassLoader.getSystemResource("shop/prices.txt")
                .openStream()
                .read());
        print(where, "a class of the system", () -> ClassLoader.getSystemClassLoader()
                .loadClass("shop.Lookups$Vat")
                .asSubclass(Tax.class));
        print(where, "a class in a thread of a library", () -> CompletableFuture.supplyAsync(() -> Library.FOUND)
                .get()
                .get());
    }

    private static void print(String where, String way, Callable<?> lookup) {
        String result;
        try {
            lookup.call().toString();
            result = "found";
        } catch (Exception | LinkageError e) {
            result = "missing: " + e;
        }
        System.out.println(where + " " + way + " " + result);
    }

    /** The service. */
    public interface Tax {}

    /** Its provider. */
    public static final class Vat implements Tax {}

    /** Found by Storm only. */
    public static final class Duty {}

    /** First used in the common pool. */
    private static final class Library {
        static final CompletableFuture<Class<?>> FOUND = new CompletableFuture<>();

        static {
            new Thread(() -> {
                        try {
                            FOUND.complete(Class.forName(
                                    "shop.Lookups$Vat",
                                    true,
                                    Thread.currentThread().getContextClassLoader()));
                        } catch (ClassNotFoundException e) {
                            FOUND.completeExceptionally(e);
                        }
                    })
                    .start();
        }
    }
}
