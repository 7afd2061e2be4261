package io.updraft.console.operator;

import io.updraft.base.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Thrift;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;
import org.eclipse.elk.alg.layered.options.LayeredMetaDataProvider;
import org.eclipse.elk.alg.layered.options.LayeredOptions;
import org.eclipse.elk.core.RecursiveGraphLayoutEngine;
import org.eclipse.elk.core.data.LayoutMetaDataService;
import org.eclipse.elk.core.options.CoreOptions;
import org.eclipse.elk.core.options.Direction;
import org.eclipse.elk.core.options.EdgeRouting;
import org.eclipse.elk.core.util.BasicProgressMonitor;
import org.eclipse.elk.graph.ElkBendPoint;
import org.eclipse.elk.graph.ElkEdge;
import org.eclipse.elk.graph.ElkEdgeSection;
import org.eclipse.elk.graph.ElkNode;
import org.eclipse.elk.graph.util.ElkGraphUtil;

/** The graph of a topology's components and streams, laid out in layers from the left to the right. */
public final class TopologyGraph {
    private static final double NODE_WIDTH = 200;
    private static final double NODE_HEIGHT = 72;

    /** Room between two layers for the labels of edges. */
    private static final double LAYER_GAP = 110;

    private static final double NODE_GAP = 28;

    private final StormTopology topology;
    private final Map<String, ComponentCommon> components = new TreeMap<>();
    private final Map<String, ElkNode> nodes = new LinkedHashMap<>();
    private final List<Stream> streams = new ArrayList<>();
    private final ElkNode root = ElkGraphUtil.createGraph();

    private TopologyGraph(StormTopology topology) {
        this.topology = topology;
    }

    /** Lays out the components of a topology, without system components. The time grows with the components: about 0.5 s for 1,000. */
    public static TopologyGraph of(StormTopology topology) {
        TopologyGraph graph = new TopologyGraph(topology);
        topology.get_spouts().forEach((id, spout) -> graph.add(id, spout.get_common()));
        topology.get_bolts().forEach((id, bolt) -> graph.add(id, bolt.get_common()));
        graph.connect();
        graph.layOut();
        return graph;
    }

    private void add(String id, ComponentCommon common) {
        if (!Utils.isSystemId(id)) {
            components.put(id, common);
            ElkNode node = ElkGraphUtil.createNode(root);
            node.setDimensions(NODE_WIDTH, NODE_HEIGHT);
            nodes.put(id, node);
        }
    }

    private void connect() {
        components.forEach((id, common) -> new TreeMap<>(common.get_inputs()).forEach((input, grouping) -> {
            ElkNode source = nodes.get(input.get_componentId());
            if (source != null) {
                streams.add(new Stream(input, id, grouping, ElkGraphUtil.createSimpleEdge(source, nodes.get(id))));
            }
        }));
    }

    private void layOut() {
        LayoutMetaDataService.getInstance().registerLayoutMetaDataProviders(new LayeredMetaDataProvider());
        root.setProperty(CoreOptions.ALGORITHM, LayeredOptions.ALGORITHM_ID);
        root.setProperty(CoreOptions.DIRECTION, Direction.RIGHT);
        root.setProperty(CoreOptions.EDGE_ROUTING, EdgeRouting.POLYLINE);
        root.setProperty(LayeredOptions.SPACING_NODE_NODE_BETWEEN_LAYERS, LAYER_GAP);
        root.setProperty(LayeredOptions.SPACING_NODE_NODE, NODE_GAP);
        new RecursiveGraphLayoutEngine().layout(root, new BasicProgressMonitor());
    }

    /** {@return the graph as a JSON object: nodes and edges with their places, in pixels} */
    public JsonObject json() {
        JsonObject json = JsonObject.of("width", Math.ceil(root.getWidth()))
                .with("height", Math.ceil(root.getHeight()))
                .with("nodes", nodes.keySet().stream().map(this::node).toList());
        json.put("edges", streams.stream().map(Stream::json).toList());
        return json;
    }

    private JsonObject node(String id) {
        ElkNode node = nodes.get(id);
        return JsonObject.of("id", id)
                .with("kind", topology.get_spouts().containsKey(id) ? "spout" : "bolt")
                .with("type", ComponentType.of(topology, id))
                .with("x", Math.round(node.getX()))
                .with("y", Math.round(node.getY()))
                .with("width", node.getWidth())
                .with("height", node.getHeight());
    }

    /** {@return the name of a grouping, for users} */
    public static String groupingName(Grouping grouping) {
        return switch (Thrift.groupingType(grouping)) {
            case FIELDS -> grouping.get_fields().isEmpty() ? "global" : "fields";
            case LOCAL_OR_SHUFFLE -> "local or shuffle";
            case CUSTOM_OBJECT, CUSTOM_SERIALIZED -> "custom";
            case ALL -> "all";
            case NONE -> "none";
            case SHUFFLE -> "shuffle";
            case DIRECT -> "direct";
        };
    }

    /** A subscription of a bolt to a stream. */
    private record Stream(GlobalStreamId source, String target, Grouping grouping, ElkEdge edge) {
        JsonObject json() {
            return JsonObject.of("from", source.get_componentId())
                    .with("stream", source.get_streamId())
                    .with("to", target)
                    .with("grouping", groupingName(grouping))
                    .with("fields", grouping.is_set_fields() ? grouping.get_fields() : List.of())
                    .with("points", points());
        }

        private List<List<Long>> points() {
            List<List<Long>> points = new ArrayList<>();
            for (ElkEdgeSection section : edge.getSections()) {
                points.add(point(section.getStartX(), section.getStartY()));
                for (ElkBendPoint bend : section.getBendPoints()) {
                    points.add(point(bend.getX(), bend.getY()));
                }
                points.add(point(section.getEndX(), section.getEndY()));
            }
            return points;
        }

        private static List<Long> point(double x, double y) {
            return List.of(Math.round(x), Math.round(y));
        }
    }
}
