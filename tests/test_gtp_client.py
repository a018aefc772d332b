"""The controller's end of GTP: what an engine may answer, and all that can go wrong."""

import os
import threading
import time

import pytest

from simulator.gtp.client import Client, EngineClosed, EngineTimeout, MalformedAnswer, Refused


class Line:
    """A client, and the ends of its two pipes that an engine would hold."""

    def __init__(self):
        read_fd, self.speak_fd = os.pipe()
        self.listen_fd, write_fd = os.pipe()
        self.client = Client(read_fd, write_fd)
        self.descriptors = {read_fd, write_fd, self.speak_fd, self.listen_fd}

    def ask(self, answer, seconds=5.0):
        """What the client makes of an answer to its first request."""
        deadline = time.monotonic() + seconds
        request_id = self.client.send(["name"], deadline)[0]
        assert os.read(self.listen_fd, 100) == f"{request_id} name\n".encode()
        os.write(self.speak_fd, answer)
        return self.client.receive(request_id, deadline)

    def close(self):
        for fd in self.descriptors:
            os.close(fd)


@pytest.fixture
def line():
    line = Line()
    yield line
    line.close()


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (b"=1 Unforced\n\n", "Unforced"),
        (b"=1\n\n", ""),
        (b"=1 \n\n", ""),
        (b"\n\n=1 a\nb\n\n\n", "a\nb"),
        (b"=1 a\r\n\r\n", "a"),
        (b"=1 \xff\x00a\n\n", "\ufffda"),
    ],
)
def test_answer_is_read(line, answer, text):
    assert line.ask(answer) == text


@pytest.mark.parametrize("answer", [b"hello\n\n", b"=2 a\n\n", b"= a\n\n", b"\x00\x01", b"= \n\n"])
def test_what_is_no_answer_is_malformed(line, answer):
    with pytest.raises(MalformedAnswer):
        line.ask(answer)


def test_refusal_carries_its_text(line):
    with pytest.raises(Refused, match="unknown command"):
        line.ask(b"?1 unknown command\n\n")


@pytest.mark.parametrize("answer", [b"=1 a\n", b"=1 a"])
def test_half_an_answer_times_out(line, answer):
    with pytest.raises(EngineTimeout):
        line.ask(answer, seconds=0.1)


@pytest.mark.parametrize("end", ["speak_fd", "listen_fd"])
def test_a_closed_end_is_told_apart_from_silence(line, end):
    line.descriptors.discard(getattr(line, end))
    os.close(getattr(line, end))
    with pytest.raises(EngineClosed):
        line.client.send(["name"], time.monotonic() + 5)


def test_engine_that_does_not_read_times_out(line):
    with pytest.raises(EngineTimeout):
        line.client.send(["x" * 60_000] * 40, time.monotonic() + 0.2)


def test_abandoned_answer_is_thrown_away(line):
    with pytest.raises(EngineTimeout):
        line.ask(b"", seconds=0.05)
    line.client.abandon(1)
    os.write(line.speak_fd, b"=1 too late\n\n")
    deadline = time.monotonic() + 5
    request_id = line.client.send(["version"], deadline)[0]
    os.write(line.speak_fd, b"=2 now\n\n")
    assert line.client.receive(request_id, deadline) == "now"


def test_waiting_calls_back_and_what_it_raises_ends_it(line):
    class Enough(Exception):
        pass

    calls = 0

    def count():
        nonlocal calls
        calls += 1
        if calls == 3:
            raise Enough

    line.client.on_wait = count
    with pytest.raises(Enough):
        line.ask(b"", seconds=60)


def test_flood_ends_at_the_deadline(line):
    stop = threading.Event()

    def flood():
        while not stop.is_set():
            os.write(line.speak_fd, b"\n" * 4096)

    thread = threading.Thread(target=flood)
    thread.start()
    try:
        with pytest.raises(EngineTimeout):
            line.ask(b"", seconds=0.3)
    finally:
        stop.set()
        os.set_blocking(line.speak_fd, False)
        while thread.is_alive():
            line.client._read()
        thread.join()
