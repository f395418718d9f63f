"""Hypothesis for the whole suite: no deadlines, since the machine may be busy, and fewer examples where
thousands of small changes to the code are tried (`make mutants`)."""

import os

from hypothesis import settings

settings.register_profile("suite", deadline=None)
settings.load_profile("suite")
settings.register_profile("mutants", max_examples=10, deadline=None)
if os.environ.get("MUTANT_UNDER_TEST"):
    settings.load_profile("mutants")
