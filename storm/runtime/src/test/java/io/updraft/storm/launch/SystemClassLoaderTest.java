package io.updraft.storm.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemClassLoaderTest {
    private final ClassLoader own = getClass().getClassLoader();
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(before);
    }

    @Test
    void shouldLoadTheClassPathWhileThereIsNoProgram() throws Exception {
        ClassLoader system = new SystemClassLoader(own);

        assertThat(system.loadClass(ProgramClasses.class.getName())).isSameAs(ProgramClasses.class);
        assertThat(system.getParent().loadClass("org.slf4j.Logger"))
                .isSameAs(system.loadClass("org.slf4j.Logger"))
                .isNotSameAs(org.slf4j.Logger.class);
        assertThat(SystemClassLoader.programAmong(system)).isNull();
    }

    @Test
    void shouldFindAProgramBehindALoaderThatTheProgramMade() throws Exception {
        ClassLoader program = new Program(own);
        try (URLClassLoader child = new URLClassLoader(new URL[0], program)) {
            assertThat(SystemClassLoader.programAmong(child)).isSameAs(program);

            Thread.currentThread().setContextClassLoader(child);
            assertThat(SystemClassLoader.programOfCallingThread()).isSameAs(program);
        }
        assertThat(SystemClassLoader.programAmong(null)).isNull();
    }

    private static final class Program extends ClassLoader implements ProgramClasses {
        Program(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Class<?> findOwn(String name) throws ClassNotFoundException {
            return Class.forName(name);
        }
    }
}
