"""Just enough of the ONNX file format to write small graphs: protobuf fields of ModelProto, by their numbers."""
import struct

import numpy as np

TYPES = {"float32": 1, "int8": 3, "int64": 7, "bool": 9, "float16": 10}
IR_VERSION, OPSET = 8, 17


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while True:
        low = value & 0x7F
        value >>= 7
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def tensor(name, values):
    values = np.ascontiguousarray(values)
    dims = b"".join(number(1, size) for size in values.shape)
    return dims + number(2, TYPES[str(values.dtype)]) + message(8, name) + message(9, values.tobytes())


def attribute(name, value):
    if isinstance(value, float):
        return message(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + number(20, 1)
    if isinstance(value, int):
        return message(1, name) + number(3, value) + number(20, 2)
    return message(1, name) + b"".join(number(8, item) for item in value) + number(20, 7)


def port(name, kind, dims):
    shape = b"".join(message(1, number(1, size) if isinstance(size, int) else message(2, size)) for size in dims)
    return message(1, name) + message(2, message(1, number(1, TYPES[kind]) + message(2, shape)))


class Graph:
    """Collects nodes and constants; every call answers with the name of its output."""

    def __init__(self):
        self.nodes, self.constants, self.count = [], [], 0

    def constant(self, values):
        self.count += 1
        name = f"c{self.count}"
        self.constants.append(message(5, tensor(name, values)))
        return name

    def ints(self, *values):
        return self.constant(np.array(values, dtype=np.int64))

    def op(self, kind, *inputs, name=None, **attributes):
        self.count += 1
        output = name or f"v{self.count}"
        content = b"".join(message(1, each) for each in inputs) + message(2, output) + message(3, f"n{self.count}") + message(4, kind)
        content += b"".join(message(5, attribute(key, value)) for key, value in attributes.items())
        self.nodes.append(message(1, content))
        return output

    def rows(self, table, ids, scales):
        """Rows of a table of 8 bits, each with the scale of its own."""
        found = self.op("Cast", self.op("Gather", self.constant(table), ids), to=1)
        scale = self.op("Unsqueeze", self.op("Gather", self.constant(scales), ids), self.ints(-1))
        return self.op("Mul", found, scale)

    def save(self, file, inputs, outputs):
        graph = b"".join(self.nodes) + message(2, "graph") + b"".join(self.constants)
        graph += b"".join(message(11, port(*each)) for each in inputs) + b"".join(message(12, port(*each)) for each in outputs)
        opset = message(1, "") + number(2, OPSET)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(number(1, IR_VERSION) + message(2, "askd") + message(7, graph) + message(8, opset))


def in_8_bits(values):
    """A table whose rows are rounded to 8 bits, and what each row has to be multiplied with."""
    values = np.asarray(values, dtype=np.float32)
    scales = np.abs(values).max(axis=1) / 127 + 1e-12
    return np.round(values / scales[:, None]).astype(np.int8), scales.astype(np.float32)
