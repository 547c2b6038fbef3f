"""Evenings by the API alone: a club whose robots play, and whose director does everything by requests
(`evening`), and a plain script that makes every list again from what the session publishes (`plain`)."""
