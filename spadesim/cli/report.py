"""The command that makes a report of a run's folder."""

from pathlib import Path

import click

from spadesim.cli.options import told_of_compiling


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--open", "opens", is_flag=True, help="Open it in the browser.")
@click.option(
    "--format", "form", type=click.Choice(["html", "md"]), default="html", show_default=True,
    help="A page, DIR/report.html, or Markdown for a README, DIR/report.md.",
)  # fmt: skip
def report(folder: str, opens: bool, form: str) -> None:
    """Write a report of a run into its folder: what the figures say, plots, tables, a few games.

    The page needs no network, nor any file beside it.

    \b
    spadesim report results/mine --open
    spadesim report results/mine --format md
    """
    from spadesim.report import write_report

    with told_of_compiling():
        file, notes = write_report(folder, form)
    click.echo(file)
    for note in notes:
        click.echo(f"spadesim: {note}", err=True)
    if opens:
        _open(file)


def _open(file: Path) -> None:
    import webbrowser

    if not webbrowser.open(file.resolve().as_uri()):
        click.echo("spadesim: no browser was found; open the file in one of your own", err=True)
