"""A report of a run: one page that people look at, made from its folder alone."""

from pathlib import Path

from spadesim.errors import UsageError
from spadesim.storage import whole_files

FORMATS = ("html", "md")


def write_report(out: str, form: str = "html") -> tuple[Path, list[str]]:
    """Write the report of a run into its folder, as ``report.html`` or ``report.md``.

    Parameters
    ----------
    out
        A folder that a run wrote.
    form
        "html" or "md".

    Returns
    -------
    tuple
        The file, and what a reader must know first, such as that the run is partial.

    Raises
    ------
    UsageError
        When the folder holds no run or one that cannot be read, or the report cannot be written.
    """
    if form not in FORMATS:
        raise UsageError(f"form is {form!r}; expected one of {', '.join(FORMATS)}")
    from spadesim.report.material import read_material  # with matplotlib, which takes long to import
    from spadesim.report.pages import to_html, to_markdown

    material = read_material(Path(out))
    text = (to_html if form == "html" else to_markdown)(material)
    file = Path(out) / f"report.{form}"
    try:
        whole_files.write(file, text.encode())
    except OSError as error:
        raise UsageError(f"cannot write {str(file)!r}: {error.strerror}; the report goes into the folder") from None
    return file, material.notes
