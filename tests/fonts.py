"""The fonts of the pages and of what is printed, cut down to the letters that they need.

`python -m tests.fonts` (in a virtual environment with `fonttools` and `brotli`; `npm` fetches the packages)
writes frontend/static/frontend/fonts/ and tournaments/printing/fonts/ again. It is run when a version below
changes, never by the service.
"""

import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "frontend" / "static" / "frontend" / "fonts"
PRINTED = ROOT / "tournaments" / "printing" / "fonts"
PACKAGES = {  # the sha256 of what npm packs
    "@fontsource/eb-garamond@5.3.0": "2e61af0740104953d4fc5cb52a8c6de257ae6d83a4a89e0fd4be2f6132fd40d9",
    "@fontsource-variable/inter@5.3.0": "d26710dd38e7217484a1d47ee76c024977ec550548876f26d06ed1844af09a14",
    "dejavu-fonts-ttf@2.37.3": "b7013ac58f9225250619db82cfb72e99c37ca8195f2b5a06a9e6a95bc5e1c84a",
}
NARROW_SPACE = 0x202F  # the fonts lack it: before : ; ? ! it must not come from another font
NARROW = 0.2  # em
TABULAR = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "plus", "minus"]

FRENCH = [*range(0x20, 0x7F), *range(0xA0, 0x100), 0x152, 0x153, 0x178, 0x2B0, 0x2BC]
SIGNS = [0x2009, 0x2010, 0x2011, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2020, 0x2022, 0x2026]
SIGNS += [0x2032, 0x2033, 0x2039, 0x203A, 0x2044, 0x20AC, 0x2190, 0x2191, 0x2192, 0x2193, 0x2212, 0x2215]
NEIGHBOURS = [*range(0x100, 0x180), *range(0x218, 0x21C), 0x1E9E]  # names from all over Europe
ELSEWHERE = {  # of Vietnam, Greece, Ukraine … by the file in which a package has them
    "vietnamese": [0x1A0, 0x1A1, 0x1AF, 0x1B0, *range(0x1EA0, 0x1EFA)],
    "greek": range(0x370, 0x400),
    "cyrillic": [*range(0x401, 0x460), 0x490, 0x491],
}
RANKS = [ord(letter) for letter in "0123456789AKQJRDV"]
SUITS = [ord(letter) for letter in "♠♥♦♣"]

FACES = [  # file, package, its file, letters, weights to keep of a variable font
    ("garamond", "@fontsource/eb-garamond@5.3.0", "eb-garamond-latin-500-normal", FRENCH + SIGNS, None),
    ("garamond-ext", "@fontsource/eb-garamond@5.3.0", "eb-garamond-latin-ext-500-normal", NEIGHBOURS, None),
    ("garamond-ranks", "@fontsource/eb-garamond@5.3.0", "eb-garamond-latin-600-normal", RANKS, None),
    ("inter", "@fontsource-variable/inter@5.3.0", "inter-latin-wght-normal", FRENCH + SIGNS, (400, 600)),
    ("inter-ext", "@fontsource-variable/inter@5.3.0", "inter-latin-ext-wght-normal", NEIGHBOURS, (400, 600)),
]

# The same, for PDF: figures are lining and tabular from the start, as no feature of a font reaches it.
ON_PAPER = [
    ("garamond", "@fontsource/eb-garamond@5.3.0", "eb-garamond-latin-500-normal.woff2", FRENCH + SIGNS, None),
    (
        "garamond-ext",
        "@fontsource/eb-garamond@5.3.0",
        "eb-garamond-latin-ext-500-normal.woff2",
        NEIGHBOURS,
        None,
    ),
    ("inter", "@fontsource-variable/inter@5.3.0", "inter-latin-wght-normal.woff2", FRENCH + SIGNS, 400),
    ("inter-bold", "@fontsource-variable/inter@5.3.0", "inter-latin-wght-normal.woff2", FRENCH + SIGNS, 600),
    ("inter-ext", "@fontsource-variable/inter@5.3.0", "inter-latin-ext-wght-normal.woff2", NEIGHBOURS, 400),
    ("suits", "dejavu-fonts-ttf@2.37.3", "DejaVuSans.ttf", SUITS, None),
]
ON_PAPER += [
    (f"{face}-{script}", package, source.format(script), list(letters), weight)
    for script, letters in ELSEWHERE.items()
    for face, package, source, weight in (
        ("garamond", "@fontsource/eb-garamond@5.3.0", "eb-garamond-{}-500-normal.woff2", None),
        ("inter", "@fontsource-variable/inter@5.3.0", "inter-{}-wght-normal.woff2", 400),
    )
]


def unpacked(package: str, folder: Path) -> Path:
    """The package as npm gives it, once its digest has been compared."""
    name = subprocess.run(
        ["npm", "pack", "--silent", package], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    if digest != PACKAGES[package]:
        sys.exit(f"{package} is not the one that was looked at: its sha256 is {digest}")
    into = folder / name.removesuffix(".tgz")
    with tarfile.open(folder / name) as archive:
        archive.extractall(into, filter="data")
    return into / "package"


def cut(
    source: Path, letters: list[int], weights: tuple[int, int] | int | None, *, flavor: str | None
) -> Any:
    """A font with these letters alone, and with a narrow space of its own."""
    from fontTools import subset
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    font = TTFont(source)
    if weights:
        saved = io.BytesIO()
        instancer.instantiateVariableFont(font, {"wght": weights}).save(saved)
        font = TTFont(saved)  # read again: what has been left out of its tables is gone
    if flavor is None:
        set_figures(font)
    else:
        leave_words_alone(font)
    wanted = subset.Options()
    wanted.layout_features = (
        ["kern", "liga", "tnum", "lnum", "locl", "ccmp", "mark", "mkmk"] if flavor else []
    )
    wanted.flavor = flavor
    wanted.hinting = False
    wanted.name_IDs = [0, 1, 2, 13, 14]  # the licence goes with the font
    cutter = subset.Subsetter(wanted)
    cutter.populate(unicodes=letters)
    cutter.subset(font)
    if 0x20 in letters:
        give_narrow_space(font)
    font.flavor = flavor
    return font


def set_figures(font: Any) -> None:
    """Figures that line up, and stand on the line, as those that the font has from the start."""
    if "GSUB" not in font:
        return
    table, swaps = font["GSUB"].table, {}
    for tag in ("lnum", "tnum"):
        mapping = {}
        for record in table.FeatureList.FeatureRecord:
            for number in record.Feature.LookupListIndex if record.FeatureTag == tag else ():
                for part in table.LookupList.Lookup[number].SubTable:
                    mapping |= getattr(getattr(part, "ExtSubTable", part), "mapping", {})
        for name in TABULAR:
            now = swaps.get(name, name)
            swaps[name] = mapping.get(now, now)
    for one in font["cmap"].tables:
        if one.isUnicode():
            one.cmap.update({code: swaps.get(name, name) for code, name in one.cmap.items()})


def leave_words_alone(font: Any) -> None:
    """Tabular figures and their signs alone. Inter makes hyphens, spaces and commas as wide as a figure:
    pages have tabular figures everywhere, and « peut-être » would fall apart."""
    table = font["GSUB"].table
    for record in table.FeatureList.FeatureRecord:
        for number in record.Feature.LookupListIndex if record.FeatureTag == "tnum" else ():
            for part in table.LookupList.Lookup[number].SubTable:
                mapping = getattr(part, "ExtSubTable", part).mapping
                for glyph in mapping.keys() - set(TABULAR):
                    del mapping[glyph]


def give_narrow_space(font: Any) -> None:
    """The no-break space again, narrower. No glyph refers to it, so it may take the place of its twin."""
    from fontTools.ttLib.tables._g_l_y_f import Glyph

    name = "narrownobreakspace"
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"][name] = Glyph()
    font["hmtx"][name] = (round(font["head"].unitsPerEm * NARROW), 0)
    if "gvar" in font:
        font["gvar"].variations[name] = []
        del font["HVAR"]  # says again what gvar says of widths, glyph by glyph
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[NARROW_SPACE] = name


def main() -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    PRINTED.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        packages = {package: unpacked(package, Path(temporary)) for package in PACKAGES}
        for file, package, source, letters, weights in FACES:
            font = cut(packages[package] / "files" / f"{source}.woff2", letters, weights, flavor="woff2")
            save(font, TARGET / f"{file}.woff2")
        for file, package, source, letters, weight in ON_PAPER:
            folder = packages[package] / ("ttf" if source.endswith(".ttf") else "files")
            save(cut(folder / source, letters, weight, flavor=None), PRINTED / f"{file}.ttf")
        for package, folder in packages.items():
            name = package.split("/")[-1].split("@")[0]
            if package.startswith("@"):
                shutil.copy(folder / "LICENSE", TARGET / f"OFL-{name}.txt")
                shutil.copy(folder / "LICENSE", PRINTED / f"OFL-{name}.txt")
            else:
                shutil.copy(folder / "LICENSE", PRINTED / f"LICENSE-{name}.txt")


def save(font: Any, path: Path) -> None:
    font["head"].modified = font["head"].created  # the same file whenever it is made
    font.recalcTimestamp = False
    font.save(path)
    print(f"{path.parent.parent.name}/{path.name:24}{path.stat().st_size:>8,}")


if __name__ == "__main__":
    main()
