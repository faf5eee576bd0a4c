"""The JSON Schema of what the commands print with --json, made from the annotations of the results.

A program in another language reads it once: ``chancecorr schema``.
"""

import types
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.comparison import Agreement, Comparison, DatasetScores, PairwiseScores, RaterAgreement
from chancecorr.comparison.baseline import FIELDS_OF_A_BASELINE, Baseline
from chancecorr.comparison.choice import FIELDS_OF_A_CHOICE, Choice
from chancecorr.comparison.comparison import FIELDS_OF_A_ROW, CandidateScore
from chancecorr.comparison.datasets import CandidateMean, RankTest
from chancecorr.comparison.hard_scores import FIELDS_OF_HARD_SCORES, HardScores
from chancecorr.comparison.hard_scores import KINDS as KINDS_OF_SCORES
from chancecorr.comparison.overlaps import MATRICES as MATRICES_OF_CELLS
from chancecorr.comparison.overlaps import Overlaps
from chancecorr.comparison.pairwise import MATRICES
from chancecorr.correction.citations import Citation
from chancecorr.correction.interval import Interval
from chancecorr.correction.scores import SCORE_FIELDS, AdjustedScore
from chancecorr.indices.index import Index
from chancecorr.machine.notes import Note

Schema = dict[str, Any]

PROBABILITIES = "p_value", "p_upper", "p_corrected", "p_of_difference"
FIELDS_OF_AGREEMENT = (
    "mean_adjusted", "observed", "expected", "variance", "variance_from", "p_value", "n_permutations", "seed",
    "z_score",
)  # fmt: skip
INDEX_FIELDS = (
    "name", "aliases", "known_as", "family", "needs", "formula", "range", "best", "attained", "affine",
    "symmetric", "constant", "undefined", "source", "notes",
)  # fmt: skip
"""Fields of an index's entry in JSON."""

NUMBER: Schema = {
    "description": "NaN is null.",
    "anyOf": [{"type": ["number", "null"]}, {"enum": ["Infinity", "-Infinity"]}],
}
SEED: Schema = {"type": ["integer", "null"], "minimum": 0}
SIMPLE = {str: "string", Hashable: "string", bool: "boolean", int: "integer", type(None): "null"}
"""Types of JSON; names of candidates and clusterings are texts on the command line."""


def make_schema() -> Schema:
    """Return the schema, with a definition for each command that prints JSON."""
    interval = describe_attributes((Interval,), ("confidence", "low", "high"))
    moments = ("analytic_expected", "analytic_std", "simulated_expected", "simulated_std")
    of_null = ("mean_from", "values_from", "error", "z_of_difference")
    score = describe_attributes((AdjustedScore,), (*SCORE_FIELDS, "n_tables", "notes"))
    score |= describe_attributes((NullDistribution,), of_null) | interval
    score |= dict.fromkeys(moments, describe(float))
    score |= {"seed": SEED, "interval_remark": describe(str)}
    adjust = {"n": describe(int), "shape": describe(tuple[int, int]), "n_tables": describe(int), "seed": SEED}
    of_comparison = describe_attributes((Comparison,), ("n", "confidence", "correction", "notes"))
    compare = {"n_tables": describe(int), "seed": SEED} | of_comparison
    of_choice = describe_attributes((Choice,), FIELDS_OF_A_CHOICE) | {"n_permutations": describe(int)}
    compare |= {"choice": {"type": "object", "additionalProperties": make_object(of_choice)}}
    of_sets = describe_attributes((DatasetScores,), ("asked_as", "index", "confidence", "notes"))
    by = {"seed": SEED} | of_sets | {"means": describe(list[CandidateMean]), "ranks": describe(RankTest)}
    pairwise = describe_attributes((PairwiseScores,), ("asked_as", "index", "names", "n", "medoid", "notes"))
    pairwise |= {"seed": SEED} | describe_attributes((PairwiseScores,), MATRICES)
    pair_of_name = {"type": "array", "minItems": 2}
    agreement = describe_attributes((PairwiseScores,), ("index", "n", "notes"))
    agreement |= {"by_clustering": make_list(pair_of_name)}
    agreement |= describe_attributes((Agreement,), FIELDS_OF_AGREEMENT)
    raters = describe_attributes((RaterAgreement,), ("adjusted", "best", "model"))
    ends = make_object(describe_attributes((Interval,), ("low", "high", "confidence", "standard_error")))
    raters |= {"interval": ends, "interval_over_raters": ends, "of_items": describe(list[float])}
    raters |= {"of_categories": make_list(pair_of_name), "items": describe(list[str] | None)}
    of_cells = ("alternative", "correction", "model", "n_draws", "seed", "notes", *MATRICES_OF_CELLS)
    cells = describe_attributes((Overlaps,), of_cells)
    cells |= dict.fromkeys(("labels_true", "labels_pred"), make_list({"type": ["string", "number"]}))
    hard = describe_attributes((HardScores,), FIELDS_OF_HARD_SCORES)
    hard |= dict.fromkeys(KINDS_OF_SCORES, describe(list[float]))
    index = describe_attributes((Index,), (*INDEX_FIELDS, "larger_is_better"))
    index |= {"equivalents": describe(list[str]), "exact": describe(str)}
    cite = describe_attributes((Citation,), ("indices", "sources", "references"))
    candidate = describe_attributes((CandidateScore, AdjustedScore, Interval), FIELDS_OF_A_ROW)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:chancecorr:json:1",
        "title": "Output of the commands with --json",
        "description": "One definition for each command. NaN is null, infinite numbers are texts. New fields"
        " may come; the number in $id rises when a field goes or changes its meaning.",
        "$defs": {
            "number": NUMBER,
            "note": describe_fields(Note),
            "score": make_object(score),
            "candidate": make_object(candidate),
            "adjust": make_object(adjust | {"scores": make_list({"$ref": "#/$defs/score"})}),
            "adjust-table": {"$ref": "#/$defs/adjust"},
            "compare": make_object(compare | {"scores": make_list({"$ref": "#/$defs/candidate"})}),
            "compare --by": make_object(by | {"scores": describe(dict[str, dict[str, float]])}),
            "pairwise": make_object(pairwise),
            "agreement": make_object(agreement),
            "agreement of raters": make_object(agreement | raters),
            "overlaps": make_object(cells),
            "hard-scores": make_object(hard),
            "baseline": make_object(describe_attributes((Baseline,), FIELDS_OF_A_BASELINE)),
            "indices": make_list(make_object(index)),
            "cite": make_object(cite),
        },
    }


def describe_attributes(kinds: Sequence[type], names: Sequence[str]) -> dict[str, Schema]:
    """Describe attributes, each by the annotation of the first class that has it."""
    described = {}
    for name in names:
        kind = next(kind for kind in kinds if name in kind.__dict__ or name in get_type_hints(kind))
        own = vars(kind).get(name)
        hint = get_type_hints(own.fget)["return"] if isinstance(own, property) else get_type_hints(kind)[name]
        described[name] = describe(hint)
        if name in PROBABILITIES and hint is float:
            described[name] = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
    return described


def describe(hint: Any) -> Schema:
    """Return the schema of the values that a type hint allows, as `to_json` writes them."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is float:
        return {"$ref": "#/$defs/number"}
    if hint is Note:
        return {"$ref": "#/$defs/note"}
    if hint in SIMPLE:
        return {"type": SIMPLE[hint]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (types.UnionType, Union):
        return {"anyOf": [describe(item) for item in arguments]}
    if origin is np.ndarray:  # a matrix
        dtype = get_args(arguments[1])[0]
        number = {np.float64: float, np.int64: int, np.bool_: bool}[dtype]
        return make_list(make_list(describe(number)))
    if origin is tuple and Ellipsis not in arguments:
        return make_list(describe(arguments[0])) | {"minItems": len(arguments), "maxItems": len(arguments)}
    if origin in (list, tuple):
        return make_list(describe(arguments[0]))
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": describe(arguments[1])}
    return describe_fields(hint)


def describe_fields(kind: type) -> Schema:
    """Describe the object that holds all fields of a class."""
    return make_object(describe_attributes((kind,), tuple(get_type_hints(kind))))


def make_object(properties: dict[str, Schema]) -> Schema:
    """Return the schema of an object that has all these properties."""
    return {"type": "object", "required": list(properties), "properties": properties}


def make_list(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}
