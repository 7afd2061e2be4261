package io.updraft.storm.legacy;

import io.updraft.storm.legacy.bridge.LegacyTypes;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;

/** Converts a class that was compiled for Storm 0.9. */
final class LegacyClass {
    /** Packages that components and programs of today's Storm use. Storm 0.9 had no packages of these names. */
    private static final List<String> PRESENT = List.of(
            "org/apache/storm/topology/",
            "org/apache/storm/task/",
            "org/apache/storm/tuple/",
            "org/apache/storm/generated/");

    /** Interfaces that got methods since, and those to implement instead, which have these methods. */
    private static final Map<String, String> INTERFACES = Stream.of(LegacyTypes.class.getDeclaredClasses())
            .collect(Collectors.toMap(type -> Type.getInternalName(type.getInterfaces()[0]), Type::getInternalName));

    private LegacyClass() {}

    /** Returns whether a class mentions the API of any Storm. */
    static boolean usesStorm(String latin1) {
        return isLegacy(latin1) || PRESENT.stream().anyMatch(latin1::contains);
    }

    /** Returns whether a class mentions the API of Storm 0.9. Looks at all bytes, which is quicker than to parse them. */
    static boolean isLegacy(String latin1) {
        return LegacyNames.API.stream().anyMatch(each -> mentions(latin1, each));
    }

    /** Returns whether a package occurs, and not as the end of a longer one. */
    private static boolean mentions(String latin1, String start) {
        for (int at = latin1.indexOf(start); at >= 0; at = latin1.indexOf(start, at + 1)) {
            if (at == 0 || latin1.charAt(at - 1) != '/') {
                return true;
            }
        }
        return false;
    }

    static byte[] convert(byte[] old, LegacyMethods methods) {
        ClassWriter writer = new ClassWriter(0);
        ClassVisitor calls = new Calls(writer, methods);
        new ClassReader(old).accept(new ClassRemapper(Opcodes.ASM9, calls, new LegacyNames.Mapping()) {}, 0);
        return writer.toByteArray();
    }

    /** Replaces calls and interfaces, in a class that has the new names. */
    private static final class Calls extends ClassVisitor {
        private final LegacyMethods methods;

        Calls(ClassVisitor next, LegacyMethods methods) {
            super(Opcodes.ASM9, next);
            this.methods = methods;
        }

        @Override
        public void visit(
                int version, int access, String name, String signature, String superName, String[] interfaces) {
            String[] present = interfaces.clone();
            for (int i = 0; i < present.length; i++) {
                present[i] = INTERFACES.getOrDefault(present[i], present[i]);
            }
            super.visit(version, access, name, signature, superName, present);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return new MethodVisitor(Opcodes.ASM9, next) {
                @Override
                public void visitMethodInsn(int opcode, String owner, String called, String type, boolean isInterface) {
                    String bridge = opcode == Opcodes.INVOKESPECIAL
                            ? null
                            : methods.bridge(opcode == Opcodes.INVOKESTATIC, owner, called, type);
                    if (bridge == null) {
                        super.visitMethodInsn(opcode, owner, called, type, isInterface);
                    } else {
                        super.visitMethodInsn(Opcodes.INVOKESTATIC, LegacyMethods.CALLS, called, bridge, false);
                    }
                }
            };
        }
    }
}
