"""What is set behind colons: ``name=value``, in bots and in rules alike."""

from collections.abc import Iterable

from spadesim.errors import UsageError


def split_settings(settings: Iterable[str], whole: str, example: str) -> dict[str, str]:
    """Split each ``name=value``.

    Parameters
    ----------
    whole
        The text that they stand in, for the message.
    example
        What one looks like.

    Raises
    ------
    UsageError
        When one has no value, or a name is set twice.
    """
    values: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"{setting!r} in {whole!r} sets nothing; expected {example}")
        name, value = name.strip(), value.strip()
        if name in values:
            raise UsageError(f"{name!r} is set twice in {whole!r}; set it once")
        values[name] = value
    return values
