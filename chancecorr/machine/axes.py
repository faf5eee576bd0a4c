"""Colours and axes of all pictures."""

import textwrap
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.machine.printing import escape_hidden

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SHARE_OF_AXES = 0.775  # share of the width of a figure that axes have without space for names
WIDTH_OF_A_CHARACTER = 0.55  # average width, in font sizes

LUMINANCE_OF_MIDDLE_GREY = 0.179
"""Luminance of the grey with equal contrast to black and white: (x + 0.05)**2 = 0.0525."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """Colours that are legible on the background of some axes."""

    mark: str
    faint: str
    chance: str
    track: str
    blue: str


# Okabe & Ito's blues differ from the greys for readers with any colour vision, and in print.
ON_LIGHT = Palette(mark="#3d4146", faint="#6b7177", chance="#b4b9be", track="#d9dcdf", blue="#0072b2")
ON_DARK = Palette(mark="#e3e6e9", faint="#a3a9af", chance="#6b7178", track="#3f444a", blue="#56b4e9")


def choose_palette(ax: "Axes", color: Any = None) -> Palette:
    """Return greys for the background, and the given colour, or the first colour of the style.

    The background is the colour of the axes; if they are transparent, of the figure, or of the page.
    """
    from matplotlib import rcParams
    from matplotlib.colors import is_color_like, to_hex, to_rgba

    grounds = ax.get_facecolor(), ax.figure.get_facecolor()
    backgrounds = [ground for ground in grounds if to_rgba(ground)[3] >= 0.5]
    is_light = not _find_luminance(rcParams["text.color"]) > LUMINANCE_OF_MIDDLE_GREY
    if backgrounds:
        is_light = _find_luminance(backgrounds[0]) > LUMINANCE_OF_MIDDLE_GREY
    greys = ON_LIGHT if is_light else ON_DARK
    if color is None:
        color = rcParams["axes.prop_cycle"].by_key().get("color", [greys.blue])[0]
    if not is_color_like(color):
        raise ArgumentValueError("color", f"must be a matplotlib colour, such as 'tab:red'; got {color!r}.")
    return replace(greys, blue=to_hex(color))


def choose_ink(colour: Any) -> str:
    """Return black or white, whichever has more contrast to a colour."""
    return "#000000" if _find_luminance(colour) > LUMINANCE_OF_MIDDLE_GREY else "#ffffff"


def _find_luminance(colour: Any) -> float:
    """Return the relative luminance of a colour, by WCAG 2.1."""
    from matplotlib.colors import to_rgb

    channels = np.array(to_rgb(colour))
    linear = np.where(channels <= 0.03928, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))


def check_result(argument: str, result: object, kind: str, attribute: str) -> None:
    """Raise if a result does not have the attribute that a picture of this kind of result needs."""
    if not hasattr(result, attribute):
        raise ArgumentTypeError(argument, f"must be a {kind}; got {type(result).__name__}.")


def take_axes(ax: "Axes | None", figsize: tuple[float, float] | None, height: float = 3.6) -> "Axes":
    """Return the axes, or new axes in a figure of this size or height in inches."""
    return take_panels(ax, 1, height, figsize=figsize)[0]


def take_panels(
    ax: Any, count: int, height: float = 1.6, lines: float = 0.0, *, figsize: tuple[float, float] | None
) -> "list[Axes]":
    """Return `count` axes: the given ones, or new ones in a figure of this height in inches or lines."""
    if ax is not None and figsize is not None:
        raise ArgumentValueError("figsize", "must be left out with `ax`: the figure is there.", "ax")
    if ax is None:
        try:
            from matplotlib import pyplot, rcParams
        except ImportError:
            raise ImportError("A picture needs matplotlib: pip install 'chancecorr[plot]'") from None
        size = figsize or (6.4, max(height, 1.25 * float(rcParams["font.size"]) / 72.0 * lines))
        ax = pyplot.subplots(count, 1, squeeze=False, figsize=size, layout="constrained")[1]
    from matplotlib.axes import Axes

    panels: list[Axes] = np.ravel(ax).tolist()
    for panel in panels:
        if not isinstance(panel, Axes):
            raise ArgumentTypeError("ax", f"must be a matplotlib Axes; got {type(panel).__name__}.")
    if len(panels) != count:
        rule = f"must be {count} Axes, one for each index, or `index` must name one; got {len(panels)}."
        raise ArgumentValueError("ax", rule, "index")
    return panels


def find_place(ax: "Axes") -> tuple[float, float]:
    """Return the width and height, in points, of axes with their names."""
    box = ax.get_window_extent()
    points = 72.0 / ax.figure.dpi / SHARE_OF_AXES
    return points * box.width, points * box.height


def wrap(text: str, points: float, size: float = 0.0) -> str:
    """Wrap a text to a width in points, for a font size; 0: the font size of the style."""
    return textwrap.fill(text, count_characters(points, size))


def count_characters(points: float, size: float = 0.0) -> int:
    """Return the number of characters that fit into a width in points."""
    from matplotlib import rcParams

    return max(int(points / (WIDTH_OF_A_CHARACTER * (size or float(rcParams["font.size"])))), 6)


def shorten(label: object, most: int) -> str:
    """Return a label as text, cut in the middle if it is longer than `most` characters."""
    text = escape_hidden(str(label))
    if len(text) <= most:
        return text
    return f"{text[: most // 2]}…{text[len(text) - (most - 1) // 2 :]}"
