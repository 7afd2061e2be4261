package io.updraft.storm.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.Programs;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import org.apache.storm.utils.ReflectionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class SharedClassLoaderTest {
    private static final String OF_THE_PROGRAM = Programs.Numbers.class.getName();

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private SharedClassLoader shared;

    @BeforeEach
    void loadStormAlone() {
        URL[] classPath = {placeOf(ReflectionUtils.class), placeOf(LoggerFactory.class)};
        shared = new SharedClassLoader(before, classPath);
    }

    @AfterEach
    void close() throws Exception {
        Thread.currentThread().setContextClassLoader(before);
        shared.close();
    }

    @Test
    void shouldLetStormsClientFindAClassOfTheProgramWhoseCodeRuns() throws Exception {
        Thread.currentThread().setContextClassLoader(new Program());

        assertThat(byStorm(OF_THE_PROGRAM)).isSameAs(Programs.Numbers.class);
    }

    @Test
    void shouldFindNothingOfAProgramWhereNoneRuns() {
        assertThatThrownBy(() -> byStorm(OF_THE_PROGRAM))
                .isInstanceOf(InvocationTargetException.class)
                .hasRootCauseInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void shouldNotShowAProgramsClassesToOthersThanStorm() {
        Thread.currentThread().setContextClassLoader(new Program());

        assertThatThrownBy(() -> Class.forName(OF_THE_PROGRAM, false, shared))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void shouldHaveOneCopyOfItsOwnPackage() throws Exception {
        assertThat(shared.loadClass(ProgramClasses.class.getName())).isSameAs(ProgramClasses.class);
    }

    /** {@return the class that a class of Storm's, loaded by the loader in question, finds by its name} */
    private Class<?> byStorm(String name) throws ReflectiveOperationException {
        Class<?> asking = shared.loadClass("org.apache.storm.utils.ReflectionUtils");
        assertThat(asking.getClassLoader()).isSameAs(shared);
        return asking.getMethod("newInstance", String.class).invoke(null, name).getClass();
    }

    private static URL placeOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    private static final class Program extends ClassLoader implements ProgramClasses {
        @Override
        public Class<?> findOwn(String name) throws ClassNotFoundException {
            return Class.forName(name);
        }
    }
}
