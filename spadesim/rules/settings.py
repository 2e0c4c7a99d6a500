"""What is set after colons: ``name=value``, in bots and in rules alike."""

from collections.abc import Iterable

from spadesim.errors import UsageError


def split_settings(settings: Iterable[str], whole: str, example: str) -> dict[str, str]:
    """Return the values of settings ``name=value``, by name.

    Parameters
    ----------
    whole
        The text that they are part of, for the message.
    example
        An example of a setting, for the message.

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
