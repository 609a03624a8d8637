"""A person with a passkey at the web face, in Chromium with an authenticator of its own.

usage: passkeys.py BELFRY BELFRY-WEB CONFIG REMINDER FAKETIME
REMINDER is the id of a reminder whose first action asks for a fresh proof, FAKETIME the library that moves a clock. A
free port is added to the config. Each step becomes a line of JSON: its name, the path, the notice and the text of the
page that is then shown.
"""
import json, os, signal, socket, subprocess, sys, tempfile, time, urllib.error, urllib.parse, urllib.request

from browser import Browser, Page, shown

belfry, web, config, reminder, faketime = sys.argv[1:]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
with open(config, "a") as file:
    file.write(f"\nweb: {{ listen: 127.0.0.1:{port} }}\n")
os.environ["BELFRY_CONFIG"] = config
url = f"http://localhost:{port}"
PATIENCE = 60


class Face:
    """The web face, whose clock can be ahead."""

    def start(self, clock="+0"):
        environment = {**os.environ, "LD_PRELOAD": faketime, "FAKETIME": clock}
        self.process = subprocess.Popen(
            [web], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not self.answers():
            time.sleep(0.02)

    def answers(self):
        try:
            urllib.request.urlopen(f"{url}/healthz").close()
            return True
        except (urllib.error.URLError, ConnectionError):
            return False

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def command(*words):
    return subprocess.run([belfry, *words], check=True, capture_output=True, text=True).stdout


def click(page, label):
    """Presses a button of a form whose reply may be the same page."""
    page.value(f"""[...document.querySelectorAll("button")]
        .find(button => button.textContent.trim() == {json.dumps(label)}).click()""")


def tell(step, page, **more):
    print(json.dumps(dict(
        step=step, path=page.value("location.pathname"), text=page.value("document.body.innerText"),
        notice=page.value("(document.querySelector('#status') ?? document.body).textContent"), **more)), flush=True)


def sign_in_by_link(page):
    link = next(word for word in command("access", "link", "--person", "anna").split() if "/sign-in/" in word)
    page.open(url + urllib.parse.urlparse(link).path)
    page.press("Sign in")


def sent(page):
    """The form that the page sent to sign in."""
    requests = [each["request"] for each in page.take("Network.requestWillBeSent")]
    return next(each["postData"] for each in requests if each["url"].endswith("/passkeys/sign-in"))


def replay(body, cookie):
    request = urllib.request.Request(
        f"{url}/passkeys/sign-in", body.encode(), {"Cookie": cookie, "Sec-Fetch-Site": "same-origin"})
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as reply:
        return reply.code


def try_in_vain(step, page):
    page.open(f"{url}/sign-in")
    click(page, "Sign in with a passkey")
    shown(page, "document.querySelector('[role=alert]') || location.pathname == '/passkeys/sign-in'")
    tell(step, page)


def visit(page, face):
    page.call("Network.enable")
    page.call("WebAuthn.enable")
    authenticator = page.call("WebAuthn.addVirtualAuthenticator", options=dict(
        protocol="ctap2", transport="internal", hasResidentKey=True, hasUserVerification=True, isUserVerified=True,
        automaticPresenceSimulation=True))["authenticatorId"]
    sign_in_by_link(page)
    page.open(f"{url}/access")
    page.value("document.querySelector('#f-label').value = 'laptop'")
    page.press("Add a passkey")
    tell("added", page)

    page.value("document.querySelector('#f-label').value = 'again'")
    click(page, "Add a passkey")
    shown(page, "document.querySelector('[role=alert]')")
    tell("added twice", page)

    page.press("Sign out")
    page.open(f"{url}/sign-in")
    page.take("Network.requestWillBeSent")
    page.press("Sign in with a passkey")
    tell("signed in", page)
    cookies = page.call("Network.getCookies", urls=[url])["cookies"]
    cookie = "; ".join(f"{each['name']}={each['value']}" for each in cookies if each["name"] == "belfry-passkey")
    body = sent(page)
    print(json.dumps(dict(step="replayed", status=replay(body, cookie), other=replay(body, ""))), flush=True)

    face.end()
    face.start("+11m")
    page.open(f"{url}/reminders/{reminder}/actions/1")
    page.press("Done")
    tell("asked for a proof", page)
    page.press("Sign in with a passkey")
    tell("led back", page)
    page.press("Done")
    tell("acted", page)
    page.open(f"{url}/")
    page.press("Sign out")

    page.call("WebAuthn.setUserVerified", authenticatorId=authenticator, isUserVerified=False)
    try_in_vain("not verified", page)
    page.call("WebAuthn.setUserVerified", authenticatorId=authenticator, isUserVerified=True)
    credential = page.call("WebAuthn.getCredentials", authenticatorId=authenticator)["credentials"][0]
    for count in (1, credential["signCount"] + 5):
        page.call("WebAuthn.removeCredential", authenticatorId=authenticator, credentialId=credential["credentialId"])
        page.call("WebAuthn.addCredential", authenticatorId=authenticator,
                  credential={**credential, "signCount": count})
        if count == 1:
            try_in_vain("counted backwards", page)
    page.open(f"{url}/sign-in")
    page.press("Sign in with a passkey")
    tell("counted on", page)

    page.open(f"{url}/access")
    tell("listed", page)
    name = next(each["name"] for each in json.loads(command("access", "list", "--json")) if each["kind"] == "passkey")
    page.open(f"{url}/access/revoke?name={name}")
    tell("asked before it is removed", page)
    click(page, "End it")
    shown(page, "location.pathname == '/sign-in'")
    tell("removed", page)
    try_in_vain("no longer known", page)


if __name__ == "__main__":
    face = Face()
    face.start()
    try:
        with tempfile.TemporaryDirectory(dir=os.getcwd(), ignore_cleanup_errors=True) as profile:
            with Browser(profile, []) as browser:
                visit(Page(browser), face)
    finally:
        face.end()
