"""Notes on a result: what a user should know about the labels, the index, the null distribution.

Each function that finds something adds a `Note`; results hold the notes in a tuple, and printers write them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

NAME_OF_INDEX = "index name"  # code of a note on the meaning of a name that a user gave for an index
GROUPS = "groups"  # code of a note on intervals by groups


@dataclass(frozen=True, slots=True)
class Note:
    """A note on a result; ``str(note)`` is the sentence that is printed.

    Attributes
    ----------
    code : str
        Kind of the note, such as ``"left out"`` or ``"few draws"``: the same for all notes of this kind.
    text : str
        The sentence. An argument of the call is named in backquotes.
    subject : str
        The index, candidate or data set that the note is about; empty for the whole result. It is printed
        before the text.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> (note,) = adjust([0, 0, 1, -1], [0, 0, 1, 1], noise="drop").notes
    >>> note.code, str(note)
    ('left out', '1 of 4 objects are left out: 1 as noise in `labels_true`')
    """

    code: str
    text: str
    subject: str = ""

    def __str__(self) -> str:
        return f"{self.subject}: {self.text}" if self.subject else self.text

    def name_sides(self, names: Mapping[str, str]) -> "Note":
        """Return the note with other names for the arguments of the call."""
        subject, text = self.subject, self.text
        for argument, name in names.items():
            subject, text = (part.replace(f"`{argument}`", name) for part in (subject, text))
        return replace(self, subject=subject, text=text)

    def to_dict(self) -> dict[str, str]:
        """Return the attributes as a dictionary."""
        return {"code": self.code, "text": self.text, "subject": self.subject}


Notes = tuple[Note, ...]
