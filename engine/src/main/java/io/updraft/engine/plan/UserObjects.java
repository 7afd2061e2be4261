package io.updraft.engine.plan;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;

/** Reads objects that a program has serialized, with the class loader of that program. */
public final class UserObjects {

    private UserObjects() {}

    /**
     * {@return the object}
     *
     * @param bytes the object in Java's serialization format
     * @param loader the class loader to ask first
     * @param what the name of the object in the message
     * @throws InvalidTopology when it cannot be read
     */
    public static Object read(byte[] bytes, ClassLoader loader, String what) {
        try {
            return read(bytes, loader);
        } catch (IOException | ClassNotFoundException e) {
            throw new InvalidTopology(what + " cannot be deserialized: " + e, e);
        }
    }

    /**
     * {@return the object}
     *
     * @param bytes the object in Java's serialization format
     * @param loader the class loader to ask first
     * @throws IOException when the bytes are not an object
     * @throws ClassNotFoundException when a class is missing
     */
    public static Object read(byte[] bytes, ClassLoader loader) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new LoaderStream(bytes, loader)) {
            return in.readObject();
        }
    }

    private static final class LoaderStream extends ObjectInputStream {
        private final ClassLoader loader;

        private LoaderStream(byte[] bytes, ClassLoader loader) throws IOException {
            super(new ByteArrayInputStream(bytes));
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

        @Override
        @SuppressWarnings("deprecation") // The replacement needs a handler, which is read after the class.
        protected Class<?> resolveProxyClass(String[] interfaces) throws IOException, ClassNotFoundException {
            try {
                Class<?>[] types = new Class<?>[interfaces.length];
                for (int i = 0; i < types.length; i++) {
                    types[i] = Class.forName(interfaces[i], false, loader);
                }
                return Proxy.getProxyClass(loader, types);
            } catch (ClassNotFoundException | IllegalArgumentException e) {
                return super.resolveProxyClass(interfaces);
            }
        }
    }
}
