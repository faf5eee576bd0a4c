"""A study of three cells, to test the frame: uniform numbers, and how long they are said to take."""

import time

from experiments.common.units import generator


def evaluate(inputs, replicate, seed, clock):
    with clock("drawing"):
        time.sleep(inputs.get("seconds", 0.0))
        values = generator(seed, inputs["name"], replicate).random(3).tolist()
    return {"values": values, "undefined": float("nan"), "replicate": replicate}
