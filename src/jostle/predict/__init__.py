"""Predictors: local `transformers` models. Only this package imports torch and transformers."""
