"""Every operation that the API describes, asked by Schemathesis: see `python -m tests.operations --help`."""
