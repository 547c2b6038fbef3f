"""Étui's commands, from its folder: `manage.py help` lists them."""

from etui import command

if __name__ == "__main__":
    command()
