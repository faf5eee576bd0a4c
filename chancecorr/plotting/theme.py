"""The theme of all pictures: colours and axes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chancecorr.machine.arguments import ArgumentTypeError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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


def choose_palette(ax: "Axes") -> Palette:
    """Colours for the background of the axes, of the figure, or of the page that shows through."""
    from matplotlib import rcParams
    from matplotlib.colors import to_rgba

    for background in (ax.get_facecolor(), ax.figure.get_facecolor()):
        if to_rgba(background)[3] >= 0.5:
            return ON_LIGHT if _find_luminance(background) > LUMINANCE_OF_MIDDLE_GREY else ON_DARK
    return ON_DARK if _find_luminance(rcParams["text.color"]) > LUMINANCE_OF_MIDDLE_GREY else ON_LIGHT


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
    ax = make_panels(1, height)[0] if ax is None else ax
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise ArgumentTypeError("ax", f"must be a matplotlib Axes; got {type(ax).__name__}.")
    return ax


def make_panels(count: int, height: float = 1.6, lines: float = 0.0) -> Any:
    """Axes of a new figure of this height in inches, or of so many lines of text, one below the other."""
    try:
        from matplotlib import pyplot, rcParams
    except ImportError:
        raise ImportError("A picture needs matplotlib: pip install 'chancecorr[plot]'") from None
    size = (6.4, max(height, 1.25 * float(rcParams["font.size"]) / 72.0 * lines))
    return pyplot.subplots(count, 1, squeeze=False, figsize=size, layout="constrained")[1][:, 0]
