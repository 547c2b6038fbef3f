"""What mkdocs does besides for `make site`.

The pages keep the places that they have in the repository, so that a link leads to the same page in both;
what else they link to, programs and the licence, comes along as it is.
"""

import re
from pathlib import Path
from urllib.parse import unquote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent.parent
LOOKS = ROOT / "frontend" / "static" / "frontend"
RULES = ROOT / "engines" / "rules"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The rules of the games stand last in the menu, by language; the icon is the service's."""
    french = sorted(page.relative_to(ROOT).as_posix() for page in RULES.glob("*.fr.md"))
    english = [page.replace(".fr.md", ".md") for page in french]
    config.nav = [*(config.nav or []), {"Games": english}, {"Jeux": french}]
    config["site_favicon"] = (LOOKS / "icon.svg").relative_to(ROOT).as_posix()
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    pages = [ROOT / page for page in listed(config.nav)]
    looks = [LOOKS / "tokens.css", LOOKS / "icon.svg", *(LOOKS / "fonts").iterdir()]
    for path in sorted({*pages, *looks, *linked(pages)}):
        files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    return files


def listed(nav: object) -> list[str]:
    """The paths of the pages in the menu, from the top of the repository."""
    if isinstance(nav, str):
        return [nav]
    entries = nav.values() if isinstance(nav, dict) else nav
    return [page for entry in entries for page in listed(entry)]  # type: ignore[attr-defined]


def linked(pages: list[Path]) -> set[Path]:
    """What the pages show or link to and is no page itself; mkdocs reports what is not there."""
    targets = [
        (page.parent / unquote(link)).resolve()
        for page in pages
        for link in re.findall(r"\]\(([^)#:\s]+)", page.read_text("utf-8"))
    ]
    return {target for target in targets if target.is_file() and target.suffix != ".md"}
