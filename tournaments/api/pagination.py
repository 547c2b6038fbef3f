"""Long lists, a page at a time."""

from rest_framework.pagination import CursorPagination


class Pages(CursorPagination):
    page_size = 100
    max_page_size = 500
    page_size_query_param = "page_size"
    ordering = "pk"
