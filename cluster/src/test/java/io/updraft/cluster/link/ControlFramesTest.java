package io.updraft.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class ControlFramesTest {

    @Test
    void shouldCarryALoadAndLeaveTheFrameAsItIs() {
        BitSet load = new BitSet();
        load.set(0);
        load.set(77);
        ByteBuffer frame = ControlFrames.load(load);
        assertThat(ControlFrames.isLoad(frame)).isTrue();
        assertThat(ControlFrames.isLost(frame)).isFalse();
        assertThat(ControlFrames.load(frame)).isEqualTo(load);
        assertThat(frame.position()).isZero();
    }

    @Test
    void shouldCarryALoadOfNothing() {
        ByteBuffer frame = ControlFrames.load(new BitSet());
        assertThat(frame.remaining()).isEqualTo(1);
        assertThat(ControlFrames.load(frame).isEmpty()).isTrue();
    }

    @Test
    void shouldTellALossFromABatch() {
        assertThat(ControlFrames.isLost(ControlFrames.lost())).isTrue();
        ByteBuffer batch = ByteBuffer.wrap(new byte[] {1, 2, 3});
        assertThat(ControlFrames.isLost(batch)).isFalse();
        assertThat(ControlFrames.isLoad(batch)).isFalse();
    }
}
