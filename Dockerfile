# Plays the demo: docker build -t unforced . && docker run --rm unforced
# docs/docker.md says what the sandbox lacks in a container, and which options of `docker run` mend that.
FROM python:3.12-slim
RUN useradd --create-home player && install --directory --owner player /unforced
USER player
WORKDIR /unforced
COPY --chown=player requirements.txt ./
RUN python3 -m venv .venv && .venv/bin/pip install --no-cache-dir --quiet -r requirements.txt
COPY --chown=player . .
# What the agents compile stays in the image.
RUN .venv/bin/python runner.py match uct_agent greedy_agent --move-time 0.1
CMD ["sh", "-c", ".venv/bin/python runner.py match uct_agent random_agent && .venv/bin/python runner.py match uct_agent greedy_agent"]
