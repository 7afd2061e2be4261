package io.updraft.storm;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;

/**
 * Reads Java-serialized objects of the user's program. A plain {@link ObjectInputStream} looks classes up through the
 * nearest loader on the call stack, which is ours and does not see a topology's jar.
 */
final class JavaObjects {
    private JavaObjects() {}

    /**
     * Reads one object.
     *
     * @param serialized the object's bytes
     * @param type what it must be
     * @param loader finds its classes
     * @throws IllegalStateException when the bytes or a class cannot be read
     */
    static <T> T read(byte[] serialized, Class<T> type, ClassLoader loader) {
        try (ObjectInputStream in = new LoaderObjectInputStream(new ByteArrayInputStream(serialized), loader)) {
            return type.cast(in.readObject());
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException("could not read a serialized " + type.getSimpleName() + ": " + e, e);
        }
    }

    private static final class LoaderObjectInputStream extends ObjectInputStream {
        private final ClassLoader loader;

        LoaderObjectInputStream(InputStream in, ClassLoader loader) throws IOException {
            super(in);
            this.loader = loader;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(description.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                return super.resolveClass(description);
            }
        }
    }
}
