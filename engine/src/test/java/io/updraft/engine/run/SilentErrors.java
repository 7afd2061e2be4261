package io.updraft.engine.run;

import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The log has no errors of the tests of a class: what components throw on purpose is no news. See {@link ExtendWith}. */
final class SilentErrors implements BeforeAllCallback, AfterAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        Configurator.setLevel(ErrorLog.class, Level.OFF);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Configurator.setLevel(ErrorLog.class, (Level) null);
    }
}
