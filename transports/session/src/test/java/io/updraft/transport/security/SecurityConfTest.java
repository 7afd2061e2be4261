package io.updraft.transport.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Storm's settings for authentication between workers. */
final class SecurityConfTest {

    private static final String SECRET = "-4242424242424242:1717171717171717";

    @Test
    void shouldTakeTheDigestsPayloadForTheSecretWhetherOrNotItIsDemanded() {
        Credentials secret = Credentials.of(SECRET.getBytes(StandardCharsets.UTF_8));
        assertThat(SecurityConf.credentials(Map.of(SecurityConf.PAYLOAD, SECRET)))
                .isEqualTo(secret);
        assertThat(SecurityConf.credentials(Map.of(SecurityConf.PAYLOAD, SECRET, SecurityConf.AUTHENTICATION, true)))
                .isEqualTo(secret);
    }

    @Test
    void shouldHaveNoSecretWhereThereIsNoneAndNoneIsDemanded() {
        assertThat(SecurityConf.credentials(Map.of(SecurityConf.AUTHENTICATION, false)))
                .isEqualTo(Credentials.NONE);
        assertThat(SecurityConf.credentials(Map.of(SecurityConf.PAYLOAD, ""))).isEqualTo(Credentials.NONE);
    }

    @Test
    void shouldRefuseToDoWithoutASecretThatIsDemanded() {
        assertThatThrownBy(() -> SecurityConf.credentials(Map.of(SecurityConf.AUTHENTICATION, true)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(SecurityConf.AUTHENTICATION + " is true", SecurityConf.PAYLOAD, "Kerberos")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldNotSayASecretThatIsTooShort() {
        assertThatThrownBy(() -> SecurityConf.credentials(Map.of(SecurityConf.PAYLOAD, "me:short")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(SecurityConf.PAYLOAD, "8 bytes", "at least 16")
                .hasMessageNotContaining("me:short");
    }

    @Test
    void shouldRefuseAFlagThatIsNone() {
        assertThatThrownBy(() -> SecurityConf.credentials(Map.of(SecurityConf.AUTHENTICATION, "kerberos")))
                .hasMessage(SecurityConf.AUTHENTICATION + " is 'kerberos': it must be true or false");
    }
}
