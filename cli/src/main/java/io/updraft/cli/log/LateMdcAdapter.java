package io.updraft.cli.log;

import java.util.Deque;
import java.util.Map;
import org.slf4j.spi.MDCAdapter;

/** The logging context of Log4j, asked for only when code uses a context. */
final class LateMdcAdapter implements MDCAdapter {
    private static MDCAdapter log4j() {
        return LateLogProvider.log4j().getMDCAdapter();
    }

    @Override
    public void put(String key, String value) {
        log4j().put(key, value);
    }

    @Override
    public String get(String key) {
        return log4j().get(key);
    }

    @Override
    public void remove(String key) {
        log4j().remove(key);
    }

    @Override
    public void clear() {
        log4j().clear();
    }

    @Override
    public Map<String, String> getCopyOfContextMap() {
        return log4j().getCopyOfContextMap();
    }

    @Override
    public void setContextMap(Map<String, String> context) {
        log4j().setContextMap(context);
    }

    @Override
    public void pushByKey(String key, String value) {
        log4j().pushByKey(key, value);
    }

    @Override
    public String popByKey(String key) {
        return log4j().popByKey(key);
    }

    @Override
    public Deque<String> getCopyOfDequeByKey(String key) {
        return log4j().getCopyOfDequeByKey(key);
    }

    @Override
    public void clearDequeByKey(String key) {
        log4j().clearDequeByKey(key);
    }
}
