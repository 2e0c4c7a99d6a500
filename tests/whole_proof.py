"""What the README's test command leaves to `.ci/run`: tests and parameters marked as parts of the whole proof.

The short command keeps about one test or parameter for each mechanism, few compiled strategies and mostly three hands.
"""

import pytest

whole = pytest.mark.whole


def whole_but(parameters, *short, several=False):
    """Mark all parameters but for those of the short run; `several` where each is a tuple of several arguments."""
    parameters = list(parameters)
    assert all(some in parameters for some in short), "the short run names a parameter that there is not"
    return whole_where(parameters, lambda value: value not in short, several=several)


def whole_where(parameters, condition, *, several=False):
    """Mark the parameters, given as values or by `pytest.param`, for whose value a condition holds."""
    marked = []
    for parameter in parameters:
        given = hasattr(parameter, "values") and hasattr(parameter, "marks")
        values = parameter.values if given else tuple(parameter) if several else (parameter,)
        marks = [whole] if condition(values if several else values[0]) else []
        marked.append(pytest.param(*values, marks=marks, id=parameter.id if given else None))
    return marked
