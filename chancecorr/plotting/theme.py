"""The theme of all pictures: colours and axes."""

import textwrap
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SHARE_OF_AXES = 0.775  # of the width of a figure, which axes have before there is room for names
WIDTH_OF_A_CHARACTER = 0.55  # in sizes of the font, on average

LUMINANCE_OF_MIDDLE_GREY = 0.179
"""Luminance of a grey from which black and white stand out alike: (x + 0.05)**2 = 0.0525."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """Colours that can be read on the background of some axes."""

    mark: str
    faint: str
    chance: str
    track: str
    blue: str


# Okabe & Ito's blues stand out from the greys for readers of any colour vision, and in print.
ON_LIGHT = Palette(mark="#3d4146", faint="#6b7177", chance="#b4b9be", track="#d9dcdf", blue="#0072b2")
ON_DARK = Palette(mark="#e3e6e9", faint="#a3a9af", chance="#6b7178", track="#3f444a", blue="#56b4e9")


def choose_palette(ax: "Axes", color: Any = None) -> Palette:
    """Greys for the background, and the colour that was given, or the first of the style.

    The background is that of the axes, of the figure, or of the page that shows through.
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
        raise ArgumentValueError("color", f"must be a colour of matplotlib, as 'tab:red'; got {color!r}.")
    return replace(greys, blue=to_hex(color))


def choose_ink(colour: Any) -> str:
    """Black or white, whichever stands out more from a colour."""
    return "#000000" if _find_luminance(colour) > LUMINANCE_OF_MIDDLE_GREY else "#ffffff"


def _find_luminance(colour: Any) -> float:
    """Relative luminance of a colour, by WCAG 2.1."""
    from matplotlib.colors import to_rgb

    channels = np.array(to_rgb(colour))
    linear = np.where(channels <= 0.03928, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))


def check_result(argument: str, result: object, kind: type) -> None:
    """Raise if a result is not of the kind that is drawn."""
    if not isinstance(result, kind):
        raise ArgumentTypeError(argument, f"must be a {kind.__name__}; got {type(result).__name__}.")


def take_axes(ax: "Axes | None", height: float = 3.6) -> "Axes":
    """The axes, or those of a new figure of this height in inches."""
    return take_panels(ax, 1, height)[0]


def take_panels(ax: Any, count: int, height: float = 1.6, lines: float = 0.0) -> "list[Axes]":
    """So many axes as given, or in a new figure of this height in inches, or lines, one below the other."""
    if ax is None:
        try:
            from matplotlib import pyplot, rcParams
        except ImportError:
            raise ImportError("A picture needs matplotlib: pip install 'chancecorr[plot]'") from None
        size = (6.4, max(height, 1.25 * float(rcParams["font.size"]) / 72.0 * lines))
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
    """Width and height in points of the place of axes and their names."""
    box = ax.get_window_extent()
    points = 72.0 / ax.figure.dpi / SHARE_OF_AXES
    return points * box.width, points * box.height


def wrap(text: str, points: float, size: float = 0.0) -> str:
    """A text in lines of so many points, in letters of a size, which is that of the style if left out."""
    return textwrap.fill(text, count_characters(points, size))


def count_characters(points: float, size: float = 0.0) -> int:
    """Characters that fit so many points."""
    from matplotlib import rcParams

    return max(int(points / (WIDTH_OF_A_CHARACTER * (size or float(rcParams["font.size"])))), 6)
