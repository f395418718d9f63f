"""Writes trained networks as ONNX, plainly: few kinds of layers, normalisations folded in.

Used when a network is trained. The file needs `onnx`; the layers are torch's.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

OPSET, IR_VERSION = 13, 8
"""Old enough for the oldest OpenCV that may read it."""


class OnnxFile:
    """A network that is written layer by layer; each takes and gives the name of a value."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._nodes: list[Any] = []
        self._weights: list[Any] = []

    def convolution(self, source: str, layer: Any, name: str) -> str:
        """A convolution with its bias."""
        return self._convolution(source, layer, layer.weight, layer.bias, name)

    def normalised(self, source: str, layer: Any, norm: Any, name: str) -> str:
        """A convolution without bias, its batch normalisation, and what is above nought of it."""
        scale = norm.weight / (norm.running_var + norm.eps).sqrt()
        weight = layer.weight * scale[:, None, None, None]
        made = self._convolution(
            source, layer, weight, norm.bias - norm.running_mean * scale, f"{name}.conv"
        )
        return self.relu(made, name)

    def doubled(self, source: str, layer: Any, name: str) -> str:
        """A transposed convolution."""
        inputs = [
            source,
            self._kept(f"{name}.weight", layer.weight),
            self._kept(f"{name}.bias", layer.bias),
        ]
        return self._node(
            "ConvTranspose", inputs, name,
            kernel_shape=list(layer.kernel_size), strides=list(layer.stride), pads=[0] * 4,
        )  # fmt: skip

    def dense(self, source: str, layer: Any, name: str, divide: float = 1.0) -> str:
        """Every value with every other; `divide`: by what the result is divided."""
        inputs = [
            source,
            self._kept(f"{name}.weight", layer.weight / divide),
            self._kept(f"{name}.bias", layer.bias / divide),
        ]
        return self._node("Gemm", inputs, name, transB=1)

    def relu(self, source: str, name: str) -> str:
        """What is above nought."""
        return self._node("Relu", [source], name)

    def add(self, one: str, other: str, name: str) -> str:
        """The sum of two values."""
        return self._node("Add", [one, other], name)

    def flat(self, source: str, name: str) -> str:
        """All channels and places in one row."""
        return self._node("Flatten", [source], name, axis=1)

    def save(
        self,
        out: Path,
        inputs: Mapping[str, Sequence[str | int]],
        outputs: Mapping[str, Sequence[str | int]],
    ) -> None:
        """Writes the file; shapes of what goes in and comes out, names standing for any number."""
        from onnx import TensorProto, checker, helper, save_model

        def values(shapes: Mapping[str, Sequence[str | int]]) -> list[Any]:
            return [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape))
                for name, shape in shapes.items()
            ]

        graph = helper.make_graph(
            self._nodes, self._name, values(inputs), values(outputs), self._weights
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION
        )
        checker.check_model(model)
        save_model(model, str(out))

    def _convolution(self, source: str, layer: Any, weight: Any, bias: Any, name: str) -> str:
        inputs = [source, self._kept(f"{name}.weight", weight), self._kept(f"{name}.bias", bias)]
        return self._node(
            "Conv", inputs, name,
            kernel_shape=list(layer.kernel_size),
            strides=list(layer.stride),
            pads=[layer.padding[0]] * 4,
        )  # fmt: skip

    def _kept(self, name: str, tensor: Any) -> str:
        from onnx import numpy_helper

        values = tensor.detach().numpy().astype(np.float32)
        self._weights.append(numpy_helper.from_array(values, name))
        return name

    def _node(self, kind: str, inputs: list[str], name: str, **how: Any) -> str:
        from onnx import helper

        self._nodes.append(helper.make_node(kind, inputs, [name], name, **how))
        return name
