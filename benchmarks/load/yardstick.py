"""The server of the yardstick: uvicorn, and a2wsgi with as many threads as the service, as both were when the
goals were set."""

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

THREADS = 8

application = WSGIMiddleware(get_wsgi_application(), workers=THREADS)
