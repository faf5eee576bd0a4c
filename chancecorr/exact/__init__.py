"""Answers without sampling."""
