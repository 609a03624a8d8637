"""belfry-web over a store of its own, for programs that look at its pages."""
import glob, os, pathlib, re, signal, socket, subprocess, sys, tempfile, time, urllib.error, urllib.request

from browser import Browser

CONFIG = """
store: {{ type: sqlite, path: store.sqlite }}
time_zone: Europe/Zurich
web: {{ listen: 127.0.0.1:{port} }}
sinks: {{ screen: {{ type: stdout }} }}
categories:
  urgent: {{ actions: [{{ identifier: done, title: Done, do: check }}] }}
"""

FAKETIME = "".join(glob.glob("/usr/lib/*/faketime/libfaketime.so.1"))


class Face:
    """belfry-web over a new store in a folder, and the commands over the same store."""

    def __init__(self, folder, programs, fill, config=CONFIG):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        file = folder / "belfry.yaml"
        file.write_text(config.format(port=self.port))
        self.folder, self.programs = folder, programs
        self.environment = {**os.environ, "BELFRY_CONFIG": str(file)}
        # What the function tells of the store.
        self.filled = fill(self.belfry)
        self.process = subprocess.Popen(
            [programs / "belfry-web"], env=self.environment, cwd=folder, stdout=subprocess.DEVNULL,
            stderr=open(folder / "log", "w"))
        # Browsers permit passkeys by this name.
        self.url = f"http://localhost:{self.port}"
        self.wait()

    def belfry(self, *words, lines=(), program="belfry", clock=None, may_fail=False):
        """The output of a program, whose clock may differ from the machine's."""
        fake = {"LD_PRELOAD": FAKETIME, "FAKETIME": clock} if clock else {}
        done = subprocess.run(
            [self.programs / program, *words], env={**self.environment, **fake}, cwd=self.folder, text=True, capture_output=True,
            input="\n".join(lines))
        if done.returncode and not may_fail:
            sys.exit(f"{program} {' '.join(words)[:200]}: {done.stderr}")
        return done.stdout

    def wait(self):
        end = time.monotonic() + 30
        while time.monotonic() < end and self.process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.url}/healthz").close()
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)
        sys.exit(f"belfry-web does not answer: {(self.folder / 'log').read_text()}")

    def link(self, *words):
        """A link to sign in, at the server's own name."""
        return self.url + re.search(r"/sign-in/\S+", self.belfry("access", "link", *words))[0]

    def cookie(self, *words):
        """The name and the value of the cookie of a new session."""
        class Staying(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None
        link = self.link(*words)
        try:
            urllib.request.build_opener(Staying).open(urllib.request.Request(link, method="POST"))
        except urllib.error.HTTPError as reply:
            if cookie := reply.headers.get("Set-Cookie"):
                return cookie.split(";")[0].split("=", 1)
        sys.exit(f"{link} signs nobody in")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def walk(visit, fill, config=CONFIG):
    """Calls `visit` with a face over a new store, of the programs in the folder of the first argument, and a browser."""
    with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        face = Face(pathlib.Path(place), pathlib.Path(sys.argv[1]), fill, config)
        try:
            with Browser(profile, []) as browser:
                visit(face, browser)
        finally:
            face.end()
