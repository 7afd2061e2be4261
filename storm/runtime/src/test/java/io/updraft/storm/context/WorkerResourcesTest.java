package io.updraft.storm.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.storm.context.WorkerResources.TaskDirectories;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import javax.security.auth.Subject;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.task.WorkerTopologyContext;
import org.junit.jupiter.api.Test;

final class WorkerResourcesTest {
    private final Subject subject = new Subject();

    @Test
    void shouldRunJobsOfTheSharedPoolAsTheSubjectOfTheTask() throws Exception {
        TaskDirectories directories = new TaskDirectories(getClass().getClassLoader(), Optional.empty());
        try (WorkerResources resources = WorkerResources.of("test-1", Map.of(), directories)) {
            ExecutorService pool = (ExecutorService) resources.defaults().get(WorkerTopologyContext.SHARED_EXECUTOR);
            PrivilegedExceptionAction<Subject> submission =
                    () -> pool.submit(ReqContext::currentSubject).get();
            assertThat(Subject.doAs(subject, submission)).isSameAs(subject);
        }
    }
}
