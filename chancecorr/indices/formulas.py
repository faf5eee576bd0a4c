r"""Formulas of the catalogue for a terminal: ``\frac{2 a}{2 a + b + c}`` becomes ``2 a / (2 a + b + c)``."""

import re

LETTERS = {
    "pair_counting": "of the N = n (n - 1) / 2 pairs of objects, a are together in both clusterings, b in the"
    " reference only, c in the candidate only, d in neither; P = a + b, Q = a + c, P' = c + d, Q' = b + d,"
    " D = a d - b c, T = sum of n_ij^2 = 2 a + n",
    "information": "n_ij of the n objects are in cluster i of the reference U (n_i in all) and in cluster"
    " j of the candidate V (m_j); K, K' numbers of clusters, H entropy, I mutual information, p a share"
    " of the objects; natural logarithms",
    "set_matching": "n_ij of the n objects are in cluster i of the reference (n_i in all) and in cluster j of"
    " the candidate (m_j); K, Q numbers of clusters; a matching σ gives each cluster at most one other",
    "cluster_level": "n_ij of the n objects are in cluster i of the reference (n_i in all) and in cluster j"
    " of the candidate (m_j); K, Q numbers of clusters; J_ij = n_ij / (n_i + m_j - n_ij)",
}  # fmt: skip
"""Meanings of the letters in formulas, by family."""

WORDS = {
    "alpha": "α", "beta": "β", "theta": "θ", "sigma": "σ", "phi": "φ", "pi": "π", "Omega": "Ω", "cdot": "·",
    "ge": "≥", "mid": "|", "lvert": "|", "rvert": "|", "infty": "infinity",
    "quad": "", "end": "", "begin": "",
}  # fmt: skip
"""Signs for commands of LaTeX; other commands, such as ``\\max``, are words already."""

INSIDE = r"\{([^{}]*)\}"


def write_plain(formula: str) -> str:
    r"""Return a formula in LaTeX as one line of plain text; a space between two factors multiplies."""
    text = (
        re.sub(r"\\left|\\right", "", formula)
        .replace(r"\_", "_")
        .replace(r"\,", ",")
        .replace("{cases}", "")
        .replace(r"\\", "; ")
    )
    text = re.sub(r"\\(?:text|mathtt|mathrm)" + INSIDE, r"\1", text)
    text = re.sub("_" + INSIDE, lambda found: "_" + found[1].replace(",", "", "i,j" in found[1]), text)
    while re.search(INSIDE, text):
        before = text
        text = re.sub(r"\\frac" + INSIDE * 2, _divide, text)
        text = re.sub(r"\\binom" + INSIDE * 2, r"C(\1, \2)", text)
        text = re.sub(r"\\sqrt" + INSIDE, r"sqrt(\1)", text)
        text = re.sub(r"\^" + INSIDE, lambda found: f"^{_enclose(found[1], ' ')}", text)
        if text == before:  # braces that only group
            text = re.sub(INSIDE, r"\1", text, count=1)
    text = re.sub(r"\\([A-Za-z]+)", lambda found: WORDS.get(found[1], found[1]), text)
    return "; ".join(" ".join(part.split()) for part in re.split(r",\s{2,}", text.replace("&", "")))


def _divide(found: re.Match[str]) -> str:
    """Write a fraction in one line, in brackets if it is a factor or a base."""
    ratio = f"{_enclose(found[1], '[-+/]')} / {_enclose(found[2], ' ')}"
    before, after = found.string[: found.start()].rstrip(), found.string[found.end() :].lstrip()
    stands_alone = before[-1:] in ("", *"{(+-,=&") and after[:1] in ("", *"})+-,&")
    return ratio if stands_alone else f"({ratio})"


def _enclose(text: str, signs: str) -> str:
    """Put a text in brackets if one of the signs stands outside of the brackets that it has."""
    outside, shorter = text, re.sub(r"\([^()]*\)", "", text)
    while shorter != outside:
        outside, shorter = shorter, re.sub(r"\([^()]*\)", "", shorter)
    return f"({text})" if re.search(signs, outside) else text
