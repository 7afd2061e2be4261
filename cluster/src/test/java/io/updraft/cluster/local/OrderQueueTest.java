package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.cluster.local.AssignedWorker.OrderQueue;
import io.updraft.cluster.local.ControlMessage.Activate;
import io.updraft.cluster.local.ControlMessage.Stop;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OrderQueueTest {

    @Test
    void shouldNoticeThatTheCoordinatorIsGoneAlthoughNobodyTakesItsOrders() throws Exception {
        try (ControlServer server = ControlServer.open(OrderQueueTest::orderAndGo);
                ControlChannel control =
                        new ControlChannel(SocketChannel.open(UnixDomainSocketAddress.of(server.path())))) {
            CompletableFuture<Void> gone = new CompletableFuture<>();
            OrderQueue orders = new OrderQueue(control, () -> gone.complete(null));
            gone.get(50, TimeUnit.SECONDS);
            assertThat(orders.next()).isEqualTo(new Activate());
            assertThat(orders.next()).isEqualTo(new Stop());
        }
    }

    @Test
    void shouldNotWaitForOrdersThatCannotBeRead() throws Exception {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        // Reading from one that was never connected ends in a RuntimeException.
        try (ControlChannel control = new ControlChannel(SocketChannel.open(StandardProtocolFamily.UNIX))) {
            new OrderQueue(control, () -> gone.complete(null));
            gone.get(50, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldTakeNoNoticeOfAnEndThatIsWanted() throws Exception {
        CompletableFuture<ControlChannel> accepted = new CompletableFuture<>();
        try (ControlServer server = ControlServer.open(accepted::complete)) {
            ControlChannel control = new ControlChannel(SocketChannel.open(UnixDomainSocketAddress.of(server.path())));
            CompletableFuture<Void> gone = new CompletableFuture<>();
            OrderQueue orders = new OrderQueue(control, () -> gone.complete(null));
            orders.end();
            accepted.get(50, TimeUnit.SECONDS).close();
            Await.until("its thread ends", () -> !isReading());
            assertThat(gone).isNotDone();
            control.close();
        }
    }

    private static boolean isReading() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("updraft-orders"));
    }

    private static void orderAndGo(ControlChannel channel) {
        try (channel) {
            channel.send(new Activate());
            channel.send(new Stop());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
