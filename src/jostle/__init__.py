"""Test whether an evaluation score holds: measures, operators, a runner and an audit."""
