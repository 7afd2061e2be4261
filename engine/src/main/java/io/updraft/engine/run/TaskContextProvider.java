package io.updraft.engine.run;

import java.util.Map;
import org.apache.logging.log4j.core.util.ContextDataProvider;

/**
 * Adds the component and the task whose code a thread runs to the context of each log event of this thread, as {@code component} and
 * {@code task}. Log4j finds this class as a service, and calls it only for lines that are logged.
 */
public final class TaskContextProvider implements ContextDataProvider {
    @Override
    public Map<String, String> supplyContextData() {
        RunningTask running = RunningTask.current();
        return running == null
                ? Map.of()
                : Map.of(
                        RunningTask.COMPONENT_KEY, running.component(),
                        RunningTask.TASK_KEY, Integer.toString(running.task()));
    }
}
