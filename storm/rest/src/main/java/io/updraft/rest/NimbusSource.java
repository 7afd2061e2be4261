package io.updraft.rest;

import org.apache.storm.generated.Nimbus;

/**
 * Gives every request a session with Nimbus. A Thrift client is one connection and not thread-safe, so a source over Thrift opens
 * or borrows one for each call. Called from any thread.
 */
public interface NimbusSource {
    /**
     * Calls Nimbus in a session of this call's own.
     *
     * @param <T> the type of the result
     * @param call what to ask; it makes one or several calls
     * @return the result of the call
     * @throws Exception when there is no session, or what the call throws
     */
    <T> T call(NimbusCall<T> call) throws Exception;

    /**
     * {@return a source for a Nimbus that is safe to use from any thread}
     *
     * @param nimbus the Nimbus that every call uses
     */
    static NimbusSource of(Nimbus.Iface nimbus) {
        return new NimbusSource() {
            @Override
            public <T> T call(NimbusCall<T> call) throws Exception {
                return call.on(nimbus);
            }
        };
    }

    /**
     * Calls of Nimbus in one session.
     *
     * @param <T> the type of the result
     */
    interface NimbusCall<T> {
        /**
         * Calls Nimbus.
         *
         * @param nimbus valid until this method returns
         * @return the result
         * @throws Exception when Nimbus refuses or fails
         */
        T on(Nimbus.Iface nimbus) throws Exception;
    }
}
