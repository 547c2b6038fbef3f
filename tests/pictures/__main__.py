"""`make pictures-rules`: see story.py."""

import os

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from .story import files

    for path, text in files():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
