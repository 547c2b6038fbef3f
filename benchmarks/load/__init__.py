"""The service under load: what a result, a list, a watcher and a process cost."""
