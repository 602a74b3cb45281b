"""Measures: pure functions from coded outcome rows to numbers with intervals. They import numpy and each other only.

A module that is a measure states NAME, MEASURE (a function of rows and options) and LIMITATIONS; `encode`, `inputs`
and `columns` bring columns of any make into that form for the evaluate modules in `metrics/`.
"""
