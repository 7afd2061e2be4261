package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.utils.Time;

/**
 * Errors that components reported.
 *
 * @param conf makes the links to logs
 */
record ErrorAnswers(UiConf conf) {
    /** {@return all errors, oldest first} */
    public List<JsonObject> all(List<ErrorInfo> errors, String topology) {
        return errors.stream()
                .sorted(Comparator.comparingInt(ErrorInfo::get_error_time_secs))
                .map(error -> {
                    JsonObject answer = JsonObject.of("error", error.get_error());
                    putPlaceAndTime(answer, error, topology);
                    return answer;
                })
                .toList();
    }

    /** Adds a component's last error; the members are there, and empty, when there is none. */
    public void putLast(JsonObject answer, ErrorInfo error, String topology) {
        if (error != null) {
            answer.put("lastError", UiText.lastError(error.get_error()));
            putPlaceAndTime(answer, error, topology);
            return;
        }
        answer.put("lastError", "");
        answer.put("errorHost", "");
        answer.put("errorPort", null);
        answer.put("errorWorkerLogLink", "");
        answer.put("errorTime", null);
        answer.put("errorLapsedSecs", null);
    }

    private void putPlaceAndTime(JsonObject answer, ErrorInfo error, String topology) {
        answer.put("errorHost", error.get_host());
        answer.put("errorPort", error.get_port());
        answer.put("errorWorkerLogLink", conf.workerLog(error.get_host(), error.get_port(), topology));
        answer.put("errorTime", error.get_error_time_secs());
        answer.put("errorLapsedSecs", Time.deltaSecs(error.get_error_time_secs()));
    }
}
