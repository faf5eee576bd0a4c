"""Pair-counting similarities: a against b and c, with d beside a, or without it.

The first nine are by Amorim & Cardoso (2014, doi:10.5220/0004868301640170): their SoS is `sokal_sneath_5`
here, their SS2 is `sokal_sneath_1`, their GK is `goodman_kruskal`. Then come indices without d, and indices
with a and d.
"""

import math

import numpy as np

from chancecorr.indices.entry import (
    CHOI,
    affine_index,
    coefficient,
    count_index,
    odds_index,
    pair_index,
    signed_index,
)
from chancecorr.machine.arrays import Floats

PUBLISHED_INDICES = (
    "rand",
    "russell_rao",
    "gower_legendre",
    "jaccard",
    "czekanowski",
    "goodman_kruskal",
    "sokal_sneath_5",
    "sokal_sneath_1",
    "fowlkes_mallows",
)
"""The nine indices of Amorim & Cardoso (2014), in the order of their tables."""


# fmt: off

pair_index("rand", r"\frac{a + d}{a + b + c + d}", ((1, 0, 0, 1), (1, 1, 1, 1)),
    "Share of the pairs on which the clusterings agree.",
    aliases=("ri", "simple_matching", "sokal_michener"), corrected_as="adjusted_rand",
    title="Rand index",
    source="Rand (1971), doi:10.1080/01621459.1971.10482356")

pair_index("russell_rao", r"\frac{a}{a + b + c + d}", ((1, 0, 0, 0), (1, 1, 1, 1)),
    "Share of the pairs that are together in both.",
    aliases=("russel_rao",), attained=False,
    title="Russell–Rao",
    source="Russell & Rao (1940), Journal of Malaria Institute India 3, 153-178")

pair_index("gower_legendre", r"\frac{a + d}{a + d + \frac{b + c}{2}}", ((2, 0, 0, 2), (2, 1, 1, 2)),
    "Agreement with disagreeing pairs at half weight; ``2 R / (1 + R)`` of the Rand index R.",
    source="Gower & Legendre (1986), doi:10.1007/BF01896809")

pair_index("jaccard", r"\frac{a}{a + b + c}", ((1, 0, 0, 0), (1, 1, 1, 0)),
    "Of the pairs together in either, the share together in both.",
    aliases=("tanimoto",),
    title="Jaccard index",
    source="Jaccard (1908), Bulletin de la Société Vaudoise des Sciences Naturelles 44, 223-270")

pair_index("czekanowski", r"\frac{2 a}{2 a + b + c}", ((2, 0, 0, 0), (2, 1, 1, 0)),
    "Harmonic mean of pair precision and pair recall.",
    aliases=("dice", "sorensen", "czekanowski_dice", "sorensen_dice", "pair_f1", "pairwise_f1"),
    corrected_as="adjusted_rand",
    title="Czekanowski (pair F1)",
    source="Czekanowski (1932), Anthropologischer Anzeiger 9, 227-249")

signed_index("goodman_kruskal", r"\frac{a d - b c}{a d + b c}",
    lambda a, b, c, d: (a * d - b * c) / (a * d + b * c),
    "Concordant less discordant, relative to both.",
    aliases=("yule_q", "yules_q", "goodman_kruskal_gamma"),
    title="Goodman–Kruskal",
    source="Goodman & Kruskal (1954), doi:10.1080/01621459.1954.10501231")

pair_index("sokal_sneath_5", r"\frac{a d}{\sqrt{(a + b) (a + c) (d + b) (d + c)}}",
    lambda a, b, c, d: (a / np.sqrt((a + b) * (a + c))) * (d / np.sqrt((d + b) * (d + c))),
    "Geometric mean of the four conditional shares of agreement, two for a and two for d.",
    aliases=("ochiai_2",),
    source="Sokal & Sneath (1963), Principles of Numerical Taxonomy; SoS in Amorim & Cardoso (2014)")

pair_index("sokal_sneath_1", r"\frac{a}{a + 2 (b + c)}", ((1, 0, 0, 0), (1, 2, 2, 0)),
    "Like Jaccard, with disagreeing pairs at double weight.",
    aliases=("anderberg",),
    source="Sokal & Sneath (1963), Principles of Numerical Taxonomy; SS2 in Amorim & Cardoso (2014)")

affine_index("fowlkes_mallows", r"\frac{a}{\sqrt{(a + b) (a + c)}}",
    lambda a, b, c, d: a / np.sqrt((a + b) * (a + c)),
    "Geometric mean of pair precision and pair recall.",
    aliases=("ochiai", "cosine", "fmi", "fm", "folkes_mallows"), corrected_as="adjusted_fowlkes_mallows",
    title="Fowlkes–Mallows index",
    source="Fowlkes & Mallows (1983), doi:10.1080/01621459.1983.10478008",
    notes="scikit-learn has 0 at 0/0, also for singletons against singletons, which have 1 here.")

affine_index("intersection", "a", lambda a, b, c, d: a,
    "Number of pairs that are together in both.",
    range=(0.0, math.inf), best=None, corrected_as="adjusted_rand",
    source=CHOI)

pair_index("wallace_1", r"\frac{a}{P}", ((1, 0, 0, 0), (1, 1, 0, 0)),
    "Of the pairs together in the reference, the share together in the candidate.",
    aliases=("pair_recall", "pairwise_recall"), corrected_as="adjusted_wallace_1",
    source="Wallace (1983), Journal of the American Statistical Association 78, 569-576",
    known_as="Asymmetric Dice coefficient of the reference",
    notes="Pairs of the reference that the candidate keeps: pair recall, the reference being given first.")

pair_index("wallace_2", r"\frac{a}{Q}", ((1, 0, 0, 0), (1, 0, 1, 0)),
    "Of the pairs together in the candidate, the share together in the reference.",
    aliases=("pair_precision", "pairwise_precision"), corrected_as="adjusted_wallace_2",
    source="Wallace (1983), Journal of the American Statistical Association 78, 569-576",
    known_as="Asymmetric Dice coefficient of the candidate",
    notes="Pairs of the candidate that are right: pair precision, the reference being given first.")

affine_index("kulczynski_2", r"\frac{\frac{a}{P} + \frac{a}{Q}}{2}",
    lambda a, b, c, d: 0.5 * (a / (a + b) + a / (a + c)),
    "Arithmetic mean of pair recall and pair precision.",
    source="Kulczynski (1927), Bulletin International de l'Académie Polonaise des Sciences B, II, 57-203",
    known_as="Kulczynski in Albatineh et al. (2006) and clusterCrit; Driver-Kroeber in Choi et al. (2010)")

affine_index("johnson", r"\frac{a}{P} + \frac{a}{Q}", lambda a, b, c, d: a / (a + b) + a / (a + c),
    "Pair recall plus pair precision.",
    range=(0.0, 2.0), best=2.0, corrected_as="kulczynski_2",
    source="Johnson (1967), doi:10.1007/BF02289588",
    notes="Twice `kulczynski_2`.")

coefficient("mcconnaughey", r"\frac{a^2 - b c}{P Q}",
    lambda a, b, c, d: (a * a - b * c) / ((a + b) * (a + c)),
    "Pair recall plus pair precision, less 1.",
    corrected_as="kulczynski_2",
    source="McConnaughey (1964), Marine Research in Indonesia 7, 1-40",
    notes="Equals ``2 kulczynski_2 - 1``.")

pair_index("sorgenfrei", r"\frac{a^2}{P Q}", lambda a, b, c, d: a / (a + b) * (a / (a + c)),
    "Pair recall times pair precision.",
    source="Sorgenfrei (1958), doi:10.34194/raekke2.v79.6868",
    notes="The square of `fowlkes_mallows`.")

affine_index("simpson", r"\frac{a}{\min(P, Q)}", lambda a, b, c, d: a / (a + np.minimum(b, c)),
    "The larger of pair recall and pair precision.",
    aliases=("overlap_coefficient", "szymkiewicz_simpson"), corrected_as="loevinger",
    source="Simpson (1943), doi:10.2475/ajs.241.1.1",
    notes="1 as soon as one clustering refines the other.")

affine_index("braun_blanquet", r"\frac{a}{\max(P, Q)}", lambda a, b, c, d: a / (a + np.maximum(b, c)),
    "The smaller of pair recall and pair precision.",
    aliases=("min_wallace",), twice_best_pair_sum=lambda A, B: 2 * max(A, B),
    source="Braun-Blanquet (1932), Plant Sociology")

pair_index("van_der_maarel", r"\frac{2 a - b - c}{2 a + b + c}", ((2, -1, -1, 0), (2, 1, 1, 0)),
    "Pairs together in both less those together in one, relative to their sum, counted in each clustering.",
    range=(-1.0, 1.0), corrected_as="adjusted_rand",
    source="Van der Maarel (1969), Vegetatio 19, 21-46",
    notes="Equals ``2 czekanowski - 1``.")

pair_index("three_w_jaccard", r"\frac{3 a}{3 a + b + c}", ((3, 0, 0, 0), (3, 1, 1, 0)),
    "Like Jaccard, with pairs together in both at triple weight.",
    source=CHOI)

odds_index("kulczynski_1", r"\frac{a}{b + c}", lambda a, b, c, d: a / (b + c),
    "Pairs together in both for each pair together in one only.",
    aliases=("southwood",),
    source="Kulczynski (1927), Bulletin International de l'Académie Polonaise des Sciences B, II, 57-203",
    notes="Equals ``J / (1 - J)`` of the Jaccard index J: infinite for equal clusterings, so never"
    " adjusted. clusim returns 1 there.")

odds_index("mountford", r"\frac{2 a}{a b + a c + 2 b c}",
    lambda a, b, c, d: 2.0 * a / (a * b + a * c + 2.0 * b * c),
    "First approximation to the index alpha of a logarithmic series.",
    source="Mountford (1962), in Murphy (ed.), Progress in Soil Zoology, 43-50",
    notes="Infinite for equal clusterings, so never adjusted.")

affine_index("fager_mcgowan", r"\frac{a}{\sqrt{P Q}} - \frac{1}{2 \sqrt{P}}",
    lambda a, b, c, d: a / np.sqrt((a + b) * (a + c)) - 0.5 / np.sqrt(a + b),
    "Geometric mean of pair recall and pair precision, less a correction for few pairs.",
    range=(-0.5, 1.0), best=None, symmetric=False,
    source="Fager & McGowan (1963), doi:10.1126/science.140.3566.453; P as in Albatineh et al. (2006)",
    known_as="pycm takes max(P, Q) under the second root; Choi et al. (2010) subtract sqrt(max(P, Q)) / 2",
    notes="Identical clusterings have ``1 - 1 / (2 sqrt(P))``.")

count_index("inner_product", "a + d", lambda a, b, c, d: a + d,
    "Number of pairs on which the clusterings agree.",
    corrected_as="adjusted_rand",
    source=CHOI)

count_index("partition_difference", "d", lambda a, b, c, d: d,
    "Number of pairs that are apart in both.",
    corrected_as="adjusted_rand",
    source="Li, Ogihara & Ma (2004), ACM International Conference on Information and Knowledge Management",
    notes="Despite its name it grows with agreement: with the cluster sizes fixed, d = a + N - P - Q.")

pair_index("hamann", r"\frac{a + d - b - c}{N}", ((1, -1, -1, 1), (1, 1, 1, 1)),
    "Share of the pairs on which the clusterings agree, less the share on which they do not.",
    range=(-1.0, 1.0), aliases=("holley_guilford_g", "bennett_s"), corrected_as="adjusted_rand",
    source="Hamann (1961), Willdenowia 2, 639-768",
    known_as="Hubert in Albatineh et al. (2006); Hubert in clusterCrit is `phi`",
    notes="Equals ``2 rand - 1``.")

pair_index("faith", r"\frac{a + \frac{d}{2}}{N}", ((2, 0, 0, 1), (2, 2, 2, 2)),
    "Agreement with pairs apart in both at half weight.",
    attained=False,
    source="Faith (1983), doi:10.1007/BF00377169",
    notes="1 only where both clusterings are one cluster.")

pair_index("fleiss", r"\frac{2 d}{2 d + b + c}", ((0, 0, 0, 2), (0, 1, 1, 2)),
    "Harmonic mean of the two conditional shares of pairs apart in both.",
    aliases=("fleiss_levin_paik",), corrected_as="adjusted_rand",
    source="Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, chapter 18",
    known_as="Fleiss in Warrens (2008) is `fleiss_1975`",
    notes="`czekanowski` with together and apart exchanged.")

affine_index("rogot_goldberg", r"\frac{a}{P + Q} + \frac{d}{P' + Q'}",
    lambda a, b, c, d: a / (2.0 * a + b + c) + d / (2.0 * d + b + c),
    "Mean of `czekanowski` over the pairs together and the pairs apart.",
    corrected_as="adjusted_rand", aliases=("blanc",),
    source="Rogot & Goldberg (1966), doi:10.1016/0021-9681(66)90032-4",
    known_as="BLANC of Recasens & Hovy (2011) in coreference: the mean F over links and non-links.",
    notes="The CoNLL scorer leaves out a kind of link that neither clustering has, here 0/0.")

affine_index("sokal_sneath_4", r"\frac{\frac{a}{P} + \frac{a}{Q} + \frac{d}{P'} + \frac{d}{Q'}}{4}",
    lambda a, b, c, d: 0.25 * (a / (a + b) + a / (a + c) + d / (c + d) + d / (b + d)),
    "Arithmetic mean of the four conditional shares of agreement.",
    source="Sokal & Sneath (1963), Principles of Numerical Taxonomy",
    known_as="SS1 in Albatineh et al. (2006), SokalSneath1 in partitionComparison; Anderberg in some lists")

affine_index("clement", r"\frac{a P'}{P N} + \frac{d P}{P' N}",
    lambda a, b, c, d: (a / (a + b) * (c + d) + d / (c + d) * (a + b)) / ((a + b) + (c + d)),
    "The two shares of agreement given the reference, each weighted by how rare its kind of pair is.",
    symmetric=False,
    source="Clement (1976), doi:10.2466/pr0.1976.39.1.257")

pair_index("hawkins_dotson", r"\frac{\frac{a}{a + b + c} + \frac{d}{b + c + d}}{2}",
    lambda a, b, c, d: 0.5 * (a / (a + b + c) + d / (b + c + d)),
    "Mean of the Jaccard indices of the pairs together and of the pairs apart.",
    source="Hawkins & Dotson (1975), in Ramp & Semb (eds.), Behavior Analysis, 359-376")


def _harris_lahey(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    differing = b + c
    together = a / (a + differing) * (2.0 * d + differing)
    apart = d / (differing + d) * (2.0 * a + differing)
    return 0.5 * (together + apart) / (a + differing + d)


pair_index("harris_lahey", r"\frac{a (P' + Q')}{2 N (a + b + c)} + \frac{d (P + Q)}{2 N (b + c + d)}",
    _harris_lahey,
    "The two Jaccard indices of `hawkins_dotson`, each weighted by how rare its kind of pair is.",
    source="Harris & Lahey (1978), doi:10.1901/jaba.1978.11-523")

pair_index("rogers_tanimoto", r"\frac{a + d}{a + d + 2 (b + c)}", ((1, 0, 0, 1), (1, 2, 2, 1)),
    "Agreement with disagreeing pairs at double weight.",
    source="Rogers & Tanimoto (1960), doi:10.1126/science.132.3434.1115")

odds_index("sokal_sneath_3", r"\frac{a + d}{b + c}", lambda a, b, c, d: (a + d) / (b + c),
    "Agreeing pairs for each disagreeing one.",
    source="Sokal & Sneath (1963), Principles of Numerical Taxonomy",
    known_as="SS3 in Choi et al. (2010); SS3 in Albatineh et al. (2006) is `sokal_sneath_5`",
    notes="Equals ``R / (1 - R)`` of the Rand index R: infinite for equal clusterings, so never adjusted.")

pair_index("baroni_urbani_buser_1", r"\frac{\sqrt{a d} + a}{\sqrt{a d} + a + b + c}",
    lambda a, b, c, d: (np.sqrt(a) * np.sqrt(d) + a) / (np.sqrt(a) * np.sqrt(d) + a + b + c),
    "Like Jaccard, with the geometric mean of both agreements added to the pairs together.",
    source="Baroni-Urbani & Buser (1976), doi:10.2307/2412493")

signed_index("baroni_urbani_buser_2", r"\frac{\sqrt{a d} + a - b - c}{\sqrt{a d} + a + b + c}",
    lambda a, b, c, d: (np.sqrt(a) * np.sqrt(d) + a - b - c) / (np.sqrt(a) * np.sqrt(d) + a + b + c),
    "The first coefficient of the same authors stretched to -1 to 1.",
    corrected_as="baroni_urbani_buser_1",
    source="Baroni-Urbani & Buser (1976), doi:10.2307/2412493",
    notes="Equals ``2 baroni_urbani_buser_1 - 1``.")

signed_index("andres_marzo", r"\frac{a + d - 2 \sqrt{b c}}{N}",
    lambda a, b, c, d: (a + d - 2.0 * np.sqrt(b) * np.sqrt(c)) / (a + b + c + d),
    "Agreement less what guessing alone would give when b and c come from it.",
    source="Martín Andrés & Femia Marzo (2004), British Journal of Mathematical and Statistical Psychology"
    " 57, 1-19",
    known_as="Delta")

pair_index("austin_colwell", r"\frac{2}{\pi} \arcsin\left(\sqrt{\frac{a + d}{N}}\right)",
    lambda a, b, c, d: 2.0 / np.pi * np.arctan(np.sqrt((a + d) / (b + c))),
    "Rand index on the angular scale, which evens out its variance.",
    source="Austin & Colwell (1977), doi:10.1099/00207713-27-3-204; Goodall (1967)",
    known_as="Goodall in pycm; Goodall has several other coefficients")
