"""The report in a browser: Chromium without a window, on a page whose names and figures are made to cause trouble."""

import shutil
from types import SimpleNamespace

import example_league
import pytest
from example_league import DANGEROUS
from whole_proof import whole

from spadesim.report.pages import to_html

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if CHROMIUM is None:
    pytest.skip("there is no chromium: apt install chromium", allow_module_level=True)

LONG = "honors:ace=0.123456:king=0.123456:queen=0.123456:jack=0.123456+need_or_duck"
NAMES = (DANGEROUS, LONG, "cid+x")
WIDTHS = (400, 1600)
TRANSPARENT = "rgba(0, 0, 0, 0)"


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        # containers have no place for Chromium's own sandbox, and the page is ours
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Write a report with names of all kinds, and pictures too wide for a small screen."""
    record = example_league.record() | {"seats": list(NAMES)}
    material = example_league.material(
        bots=NAMES, notes=[f"the table {DANGEROUS} could not be finished"], records=[record]
    )
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(to_html(material), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def shown(browser, address):
    """Open the report; any request, error or dialog is noted, and must not be."""

    def show(**options):
        seen = SimpleNamespace(requests=[], errors=[], dialogs=[])
        page = browser.new_context(**options).new_page()
        page.set_default_timeout(5_000)
        page.route("**/*", lambda route: route.continue_() if route.request.url == address else route.abort())
        page.on("request", lambda request: seen.requests.append(request.url))
        page.on("console", lambda message: seen.errors.append(message.text))
        page.on("pageerror", lambda error: seen.errors.append(str(error)))
        page.on("dialog", lambda dialog: (seen.dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(address)
        opened.append((page, seen))
        return page

    opened = []
    yield show
    for page, seen in opened:
        assert [url for url in seen.requests if not url.startswith("data:")] == [address]
        assert (seen.errors, seen.dialogs) == ([], [])
        page.context.close()


def first_column(table):
    return table.locator("tbody th").all_inner_texts()


def table_of(page, name):
    return page.get_by_role("region", name=f"Table {name}", exact=True).locator("table")


def open_all(page):
    page.evaluate("document.querySelectorAll('details').forEach((element) => (element.open = true))")


@whole
def test_names_show_as_text(shown):
    page = shown()
    assert page.locator("img").count() == 0
    assert DANGEROUS in first_column(table_of(page, "standings"))
    assert page.locator("dd").first.inner_text().startswith(f"{DANGEROUS} leads")
    assert DANGEROUS in page.get_by_role("note").inner_text()


@whole
def test_a_click_sorts_and_another_one_turns_it(shown):
    table = table_of(shown(), "bags")
    head = table.locator("thead th", has_text="penalties_per_game").first
    assert head.get_attribute("aria-sort") is None
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert first_column(table) == [LONG, "cid+x", DANGEROUS]
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert first_column(table) == [DANGEROUS, "cid+x", LONG]
    other = table.locator("thead th").first
    other.get_by_role("button").click()
    assert [other.get_attribute("aria-sort"), head.get_attribute("aria-sort")] == ["ascending", None]
    assert first_column(table) == [DANGEROUS, "cid+x", LONG]


@whole
@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_keyboard_sorts(key, shown):
    page = shown()
    table = table_of(page, "nils")
    button = table.get_by_role("button", name="nil_success", exact=True)
    table.get_by_role("button").first.focus()
    while not button.evaluate("(element) => element === document.activeElement"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('table') !== null")
    page.keyboard.press(key)
    # what is missing stays at the end, whichever way
    assert first_column(table) == [DANGEROUS, LONG, "cid+x"]
    page.keyboard.press(key)
    assert first_column(table) == [LONG, DANGEROUS, "cid+x"]


@whole
def test_thousands_sort_as_numbers(shown):
    page = shown()
    table = table_of(page, "bags")
    table.get_by_role("button", name="bags", exact=True).click()
    assert table.locator("tbody tr td:nth-child(3)").all_inner_texts() == ["6,000", "3,000", "1,500"]
    table = table_of(page, "ratings")
    table.get_by_role("button", name="rating", exact=True).click()
    assert table.locator("tbody tr td:nth-child(3)").all_inner_texts() == ["90.0", "0.0", "-90.0"]


@whole
def test_the_first_stop_skips_to_the_report(shown):
    page = shown()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "report"


@whole
def test_focus_can_be_seen_everywhere(shown):
    page = shown()
    open_all(page)
    stops = page.locator("a, button, summary, [tabindex='0']").count()
    for _ in range(stops):
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outline")
        assert "solid 3px" in outline
    assert page.evaluate("document.activeElement.matches('a, button, summary, [tabindex]')")


@whole
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_page(width, shown):
    page = shown(viewport={"width": width, "height": 900})
    open_all(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    out = page.evaluate(
        """() => [...document.querySelectorAll('body *')]
            .filter((box) => !box.closest('.scroll') && !box.closest('.skip') && !box.closest('svg > *'))
            .filter((box) => box.getBoundingClientRect().right > innerWidth + 0.5).map((box) => box.outerHTML)"""
    )
    assert out == []


@whole
def test_wide_tables_scroll_in_their_box_with_the_keyboard(shown):
    page = shown(viewport={"width": 400, "height": 900})
    box = page.get_by_role("region", name="Table standings", exact=True)
    assert box.evaluate("(element) => element.scrollWidth > element.clientWidth")
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(element) => element.scrollLeft > 0", arg=box.element_handle())


@whole
def test_words_of_drawings_stay_inside(shown):
    page = shown()
    out = page.evaluate(
        """() => [...document.querySelectorAll('svg')].flatMap((svg) => [...svg.querySelectorAll('text')]
            .filter((text) => {
                const [inner, outer] = [text.getBoundingClientRect(), svg.getBoundingClientRect()];
                return inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 1
                    || inner.bottom > outer.bottom + 1;
            }).map((text) => text.textContent))"""
    )
    assert out == []


@whole
def test_every_drawing_has_alternative_text(shown):
    page = shown()
    drawings = page.get_by_role("img")
    assert drawings.count() == page.locator("svg").count() == 9
    assert page.locator("img, picture, canvas, object").count() == 0
    for i in range(drawings.count()):
        snapshot = drawings.nth(i).aria_snapshot()
        assert len(snapshot) > 60, snapshot


def colours(page, selector):
    """Read the colour of an element's words and that of what is behind it, each as red, green, blue."""
    found = page.locator(selector).first.evaluate(
        """(element) => {
            let behind = element;
            while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
            const style = getComputedStyle(element);
            return [element.ownerSVGElement ? style.fill : style.color, getComputedStyle(behind).backgroundColor];
        }"""
    )
    return [tuple(int(number) for number in colour.strip("rgb()").split(",")) for colour in found]


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in colour)]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@whole
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_the_page(scheme, shown):
    page = shown(color_scheme=scheme)
    for selector in (
        "p",
        "dd",
        "dt a",
        "summary",
        "figcaption",
        "thead button",
        "tbody td",
        "svg text",
        ".note",
        "pre",
    ):
        ink, behind = colours(page, selector)
        high, low = sorted([luminance(ink), luminance(behind)], reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, selector
    assert (luminance(colours(page, "p")[1]) < 0.1) == (scheme == "dark")


@whole
def test_print_has_no_buttons_and_is_black_on_white(shown):
    page = shown(color_scheme="dark")
    page.emulate_media(media="print")
    assert colours(page, "p") == [(0, 0, 0), (255, 255, 255)]
    boxes = page.locator("button").evaluate_all("(all) => all.map((element) => element.getBoundingClientRect().width)")
    assert set(boxes) == {0}
    assert page.locator("nav").is_hidden()
    arrow = page.locator("thead button").first.evaluate("(element) => getComputedStyle(element, '::after').content")
    assert arrow == "none"
    assert table_of(page, "standings").locator("thead").inner_text().startswith("bot")


@whole
def test_a_page_without_scripts_is_whole(shown):
    page = shown(java_script_enabled=False)
    assert first_column(table_of(page, "standings")) == list(NAMES)
    assert page.locator("button").count() == 0
