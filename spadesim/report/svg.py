"""Make of a drawing a part of a page: named for those who cannot see it, in the page's own colour of words."""

import re
import xml.etree.ElementTree as ElementTree

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
METADATA, STYLE = f"{{{SVG}}}metadata", f"{{{SVG}}}style"
PLACES = ("d", "x", "y", "transform", "width", "height", "style")  # attributes that hold numbers

ElementTree.register_namespace("", SVG)
ElementTree.register_namespace("xlink", XLINK)


def inline(svg: str, name: str, title: str, description: str, ink: str) -> str:
    """Prepare a drawing to stand in a page beside others.

    Parameters
    ----------
    svg
        As matplotlib writes it.
    name
        A word for it that no other drawing of the page has.
    title, description
        What it shows; the two are its alternative text.
    ink
        The colour in it that becomes that of the words around it.
    """
    root = ElementTree.fromstring(svg)
    _name_parts(root, name)
    _round(root)
    for parent in root.iter():
        for child in [child for child in parent if child.tag in (METADATA, STYLE)]:
            parent.remove(child)
    for size in ("width", "height", "version"):
        root.attrib.pop(size, None)
    root.attrib |= {"role": "img", "aria-labelledby": f"{name}-title {name}-description"}
    for place, (tag, text) in enumerate({"title": title, "description": description}.items()):
        words = ElementTree.Element(f"{{{SVG}}}{'desc' if place else 'title'}", {"id": f"{name}-{tag}"})
        words.text = text
        root.insert(place, words)
    return ElementTree.tostring(root, encoding="unicode").replace(ink, "currentColor")


def _round(root: ElementTree.Element) -> None:
    """Write numbers with two decimals, which is finer than any screen."""
    for element in root.iter():
        for key in element.attrib.keys() & PLACES:
            short = re.sub(r"(\.\d\d)\d+", r"\1", element.attrib[key])
            element.set(key, " ".join(short.split()))


def natural_width(svg: str) -> float:
    """Read how wide a drawing was made, in points."""
    return float(ElementTree.fromstring(svg).attrib["viewBox"].split()[2])


def _name_parts(root: ElementTree.Element, name: str) -> None:
    """Rename the parts, those alone that others refer to."""
    text = ElementTree.tostring(root, encoding="unicode")
    for element in root.iter():
        part = element.attrib.pop("id", None)
        if part is not None and f"#{part}" in text:
            element.set("id", f"{name}-{part}")
        for key, value in element.attrib.items():
            if value.startswith("#") and key == f"{{{XLINK}}}href":
                element.set(key, f"#{name}-{value[1:]}")
            elif "url(#" in value:
                element.set(key, value.replace("url(#", f"url(#{name}-"))
