"""Sleeps for an hour while it is imported."""

import time

time.sleep(3600)
