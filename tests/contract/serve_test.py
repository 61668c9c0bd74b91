#!/usr/bin/env python3
"""`delassus serve` as its clients meet it: the page, the events, the controls, and what is refused.

  tests/contract/serve_test.py COMMAND

Exits with 77 where the command was built without the viewer, so that ctest can skip.
"""
import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
import unittest

COMMAND = "delassus"
PATIENCE = 60  # seconds until something that has to happen is given up; machines may be busy


class Server:
    """The command, on a port of its own."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([COMMAND, "serve", *arguments, "--port", "0", "--no-browser"],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/", self.address)
        assert match, self.address + self.process.communicate()[1]
        self.port = int(match[1])

    def stop(self, by=signal.SIGINT):
        self.process.send_signal(by)
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.communicate()

    def ask(self, method, path, body=None, headers=None):
        """Status, headers and body of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        out = answer.status, answer.headers, answer.read()
        connection.close()
        return out

    def control(self, **command):
        return self.ask("POST", "/control", json.dumps(command))[0]

    def send_raw(self, data):
        """The first line that comes back for bytes that need not be a request."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as client:
            client.sendall(data)
            return client.makefile("rb").readline().decode().strip()


class Events:
    """One page that listens, and all that it heard."""

    def __init__(self, server):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        self.connection.request("GET", "/events")
        self.answer = self.connection.getresponse()
        self.frames, self.structures, self.last = [], {}, {}
        self.restarts = 0

    def next(self):
        while True:
            line = self.answer.readline().decode()
            assert line, "the stream ended"
            if line.startswith("data: "):
                break
        self.last = json.loads(line[len("data: "):])
        if self.last.get("restart"):
            self.frames = []
            self.restarts += 1
        self.frames += self.last["frames"]
        for place, structure in zip(self.last["structures_at"], self.last["structures"], strict=True):
            self.structures[place] = structure
        return self.last

    def until(self, condition):
        deadline = time.monotonic() + PATIENCE
        while not condition(self):
            assert time.monotonic() < deadline, f"after {len(self.frames)} frames it is {self.last.get('status')}"
            self.next()
        return self

    def close(self):
        self.answer.close()
        self.connection.close()


class Serving(unittest.TestCase):
    arguments = ("incline:10",)

    def setUp(self):
        self.server = Server(*self.arguments)
        self.addCleanup(self.server.stop)

    def events(self):
        out = Events(self.server)
        self.addCleanup(out.close)
        return out


class Pages(Serving):
    def test_the_page_is_a_live_recording(self):
        status, headers, body = self.server.ask("GET", "/")
        self.assertEqual(status, 200)
        self.assertEqual(headers["Content-Type"], "text/html; charset=utf-8")
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        text = re.search(r'<script type="application/json" id="recording">(.*?)</script', body.decode(), re.S)[1]
        recording = json.loads(text)
        self.assertTrue(recording["live"])
        self.assertEqual(recording["frames"], [])
        self.assertEqual(recording["speed"], 1)
        self.assertEqual([b["name"] for b in recording["bodies"]], ["box"])

    def test_frames_come_in_real_time(self):
        events = self.events().until(lambda e: len(e.frames) > 5)
        before = time.monotonic(), events.frames[-1]["t"]
        events.until(lambda e: e.frames[-1]["t"] > before[1] + 0.5)
        # Never faster than the clock, but for the frames that were on their way when it was read.
        self.assertGreater(time.monotonic() - before[0], 0.3)
        times = [frame["t"] for frame in events.frames]
        self.assertEqual(times, sorted(times))
        for frame in events.frames:
            self.assertIn(frame["structure"], {-1, *events.structures})
        self.assertEqual(len(events.frames[-1]["contacts"]), 4)
        self.assertEqual(events.last["status"], "running")

    def test_several_pages_see_the_same(self):
        first = self.events().until(lambda e: len(e.frames) > 20)
        second = self.events().until(lambda e: len(e.frames) > 20)
        # The second came later, and was told what had been.
        self.assertEqual(first.frames[:20], second.frames[:20])

    def test_controls(self):
        events = self.events().until(lambda e: len(e.frames) > 2)
        self.assertEqual(self.server.control(command="pause"), 204)
        events.until(lambda e: e.last["status"] == "paused")
        stopped = events.frames[-1]["t"]
        self.assertEqual(self.server.control(command="step"), 204)
        events.until(lambda e: e.frames[-1]["t"] > stopped)
        one = events.frames[-1]["t"]
        self.assertEqual(self.server.control(command="step"), 204)
        events.until(lambda e: e.frames[-1]["t"] > one)
        self.assertAlmostEqual(events.frames[-1]["t"] - one, 1e-3, 6)  # one step; times have seven digits
        self.assertEqual(self.server.control(command="speed", value=2), 204)
        events.until(lambda e: e.last["speed"] == 2)
        self.assertEqual(events.last["status"], "paused")
        self.assertEqual(self.server.control(command="resume"), 204)
        events.until(lambda e: e.last["status"] == "running" and e.frames[-1]["t"] > one + 0.1)
        self.assertEqual(self.server.control(command="restart"), 204)
        restarts = events.restarts
        events.until(lambda e: e.restarts > restarts)
        self.assertEqual(events.frames[0]["t"], 0)

    def test_bad_controls_are_explained(self):
        for body, words in (("", "send an object"), ("[1]", "send an object"), ('{"command": 3}', "send an object"),
                            ('{"command": "stop"}', "the commands are pause, resume"), ("{" * 1000, "send an object"),
                            ('{"command": "speed"}', "from 0.01 to 100"),
                            ('{"command": "speed", "value": 1e9}', "from 0.01 to 100"),
                            ('{"command": "speed", "value": "fast"}', "from 0.01 to 100")):
            status, _, answer = self.server.ask("POST", "/control", body)
            self.assertEqual(status, 400, body)
            self.assertIn(words, json.loads(answer)["error"])

    def test_there_is_nothing_else(self):
        for path in ("/index.html", "/../etc/passwd", "/%2e%2e/etc/passwd", "/events/", "//", "/control.json"):
            self.assertEqual(self.server.ask("GET", path)[0], 404, path)
        self.assertEqual(self.server.ask("GET", "/?query")[0], 200)
        self.assertEqual(self.server.ask("GET", "/favicon.ico")[0], 204)
        self.assertEqual(self.server.ask("GET", "/control")[0], 405)
        self.assertEqual(self.server.ask("POST", "/")[0], 405)
        self.assertEqual(self.server.ask("DELETE", "/events")[0], 405)

    def test_other_sites_are_refused(self):
        for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1"):
            self.assertEqual(self.server.ask("GET", "/", headers={"Host": host})[0], 403, host)
        for host in ("localhost", "LOCALHOST:9000", "127.0.0.1", "[::1]:8080"):
            self.assertEqual(self.server.ask("GET", "/", headers={"Host": host})[0], 200, host)
        pause = json.dumps({"command": "pause"})
        for origin, status in (("http://evil.example", 403), ("null", 403), ("https://localhost", 403),
                               ("http://localhost", 204)):
            headers = {"Host": "localhost", "Origin": origin}
            self.assertEqual(self.server.ask("POST", "/control", pause, headers)[0], status, origin)

    def test_what_is_no_request_is_refused(self):
        host = b"Host: localhost\r\n"
        for data, status in (
            (b"\r\n\r\n", 400), (b"GET /\r\n\r\n", 400), (b"GET / HTTP/1.1\r\n\r\n", 400), (b"G(T / HTTP/1.1\r\n" + host + b"\r\n", 400),
            (b"GET x HTTP/1.1\r\n" + host + b"\r\n", 400), (b"GET / FTP/1.1\r\n" + host + b"\r\n", 400),
            (b"GET /\x01 HTTP/1.1\r\n" + host + b"\r\n", 400), (b"GET / HTTP/1.1\r\n" + host + host + b"\r\n", 400),
            (b"GET / HTTP/1.1\r\n" + host + b" folded\r\n\r\n", 400), (b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
            (b"GET / HTTP/2.0\r\n" + host + b"\r\n", 505),
            (b"POST /control HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n", 400),
            (b"POST /control HTTP/1.1\r\n" + host + b"Content-Length: 99999999999999999999\r\n\r\n", 413),
            (b"POST /control HTTP/1.1\r\n" + host + b"Content-Length: 5000\r\n\r\n" + b"x" * 5000, 413),
            (b"POST /control HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n", 501),
            (b"GET / HTTP/1.1\r\n" + host + b"X: " + b"y" * 20000, 431),
            (bytes(range(256)) * 100, 431),
        ):
            self.assertIn(f" {status} ", self.server.send_raw(data) + " ", data[:60])
        # In pieces, as a slow client sends it.
        with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as client:
            for piece in (b"GE", b"T / HT", b"TP/1.1\r", b"\n" + host + b"\r", b"\n"):
                client.sendall(piece)
                time.sleep(0.02)
            self.assertIn(b" 200 ", client.makefile("rb").readline())

    def test_many_connections(self):
        held = [socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) for _ in range(40)]
        self.assertEqual(self.server.ask("GET", "/")[0], 200)
        for client in held:
            client.close()


    def test_streams_that_idle_make_room_for_others(self):
        self.assertEqual(self.server.control(command="pause"), 204)
        held = []
        for _ in range(100):
            client = socket.create_connection(("127.0.0.1", self.server.port), PATIENCE)
            self.addCleanup(client.close)
            client.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertIn(b" 200 ", client.recv(4096))
            held.append(client)
        self.assertEqual(self.server.ask("GET", "/")[0], 200)
        # The last that came are served on; the first were closed, and read what was left to the end.
        self.assertEqual(self.server.control(command="step"), 204)
        self.assertIn(b"data: ", held[-1].recv(1 << 20))
        while held[0].recv(1 << 20):
            pass

    def test_connections_that_say_nothing_make_room_for_others(self):
        for _ in range(100):
            self.addCleanup(socket.create_connection(("127.0.0.1", self.server.port), PATIENCE).close)
        start = time.monotonic()
        self.assertEqual(self.server.ask("GET", "/")[0], 200)
        self.assertLess(time.monotonic() - start, 8)  # before the first of them would have been given up, after 10 s


class SlowPages(Serving):
    arguments = ("arch", "--fps", "1000")  # 19 kB for each millisecond

    def test_they_miss_frames_and_hold_up_no_other(self):
        slow = socket.socket()
        self.addCleanup(slow.close)
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.settimeout(PATIENCE)
        slow.connect(("127.0.0.1", self.server.port))
        slow.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        # Some times what the system keeps for a connection, and as many frames as one event has.
        events = self.events().until(lambda e: len(e.frames) > 150)
        now = events.frames[-1]["t"]
        times = []
        for line in slow.makefile("rb"):
            if line.startswith(b"data: "):
                times += [frame["t"] for frame in json.loads(line[len(b"data: "):])["frames"]]
            if times and times[-1] >= now:
                break
        gaps = [b - a for a, b in zip(times, times[1:])]
        self.assertGreater(min(gaps), 0)
        self.assertGreater(max(gaps), 0.005)  # a page that keeps up sees every millisecond
        self.assertLess(len(times), len(events.frames))


class Ends(unittest.TestCase):
    def test_it_ends_at_the_time_given_and_stays(self):
        server = Server("incline:10", "--seconds", "0.2", "--speed", "5")
        self.addCleanup(server.stop)
        events = Events(server).until(lambda e: e.last.get("status") == "ended")
        self.addCleanup(events.close)
        self.assertAlmostEqual(events.frames[-1]["t"], 0.2, 6)
        late = Events(server).until(lambda e: e.last.get("status") == "ended")
        self.addCleanup(late.close)
        self.assertEqual(late.frames, events.frames)

    def test_a_step_that_fails_is_told(self):
        server = Server("arch:0.2", "--capacity", "41", "--speed", "10")
        self.addCleanup(server.stop)
        events = Events(server).until(lambda e: e.last.get("status") == "failed")
        self.addCleanup(events.close)
        self.assertIn("no room for the contacts of 'stone", events.last["message"])

    def test_signals_end_it_in_order(self):
        for by in (signal.SIGINT, signal.SIGTERM):
            server = Server("incline")
            events = Events(server).until(lambda e: len(e.frames) > 1)
            self.assertEqual(server.stop(by), 0)
            events.close()

    def test_a_port_that_is_taken(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            run = subprocess.run([COMMAND, "serve", "incline", "--no-browser", "--port", str(port)], capture_output=True,
                                 text=True, timeout=PATIENCE)
        self.assertEqual(run.returncode, 2)
        self.assertIn(f"--port {port}: another program uses this port", run.stderr)

    def test_mistakes_are_explained(self):
        for arguments, words in ((["inclin"], "did you mean 'incline'?"), (["incline", "--port", "70000"], "--port"),
                                 (["incline", "--speed", "0"], "--speed")):
            run = subprocess.run([COMMAND, "serve", *arguments], capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual(run.returncode, 2)
            self.assertIn(words, run.stderr)


if __name__ == "__main__":
    COMMAND = sys.argv.pop(1)
    if not json.loads(subprocess.run([COMMAND, "--version", "--json"], capture_output=True).stdout)["viewer"]:
        print("the command was built without the viewer: npm is missing")
        sys.exit(77)
    unittest.main()
