"""A comparison of clusterings, or many on data sets, as one page of HTML that loads no other file."""

from chancecorr.report.page import to_html

__all__ = ["to_html"]
