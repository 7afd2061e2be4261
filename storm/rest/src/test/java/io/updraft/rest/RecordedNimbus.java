package io.updraft.rest;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.Nimbus;

/** A Nimbus whose answers a test gives. It records its calls; one without an answer that returns nothing succeeds. */
final class RecordedNimbus {
    private final Map<String, Object> answers = new HashMap<>();
    private final List<String> calls = new ArrayList<>();

    RecordedNimbus with(String method, Object answer) {
        answers.put(method, answer);
        return this;
    }

    List<String> calls() {
        return calls;
    }

    StormRestApi api(Map<String, Object> conf) {
        return new StormRestApi(NimbusSource.of(iface()), conf);
    }

    private Nimbus.Iface iface() {
        return (Nimbus.Iface) Proxy.newProxyInstance(
                Nimbus.Iface.class.getClassLoader(),
                new Class<?>[] {Nimbus.Iface.class},
                (proxy, method, arguments) -> answer(method, arguments));
    }

    private Object answer(Method method, Object[] arguments) throws Throwable {
        calls.add(method.getName() + (arguments == null ? "[]" : Arrays.toString(arguments)));
        Object answer = answers.get(method.getName());
        if (answer instanceof Throwable failure) {
            throw failure;
        }
        if (answer == null && method.getReturnType() != void.class) {
            throw new AssertionError("no answer for " + method.getName());
        }
        return answer;
    }
}
