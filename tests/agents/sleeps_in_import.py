"""Never comes to an end of its import."""

import time

time.sleep(3600)
