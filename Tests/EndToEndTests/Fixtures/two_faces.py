"""A person in Chromium at one address, behind which several web faces take turns.

usage: two_faces.py URL LINK-PATH BELFRY
The environment names the config of BELFRY. Each step becomes a line of JSON: its name, the path and the text of the page
that is then shown.
"""
import json, os, subprocess, sys, tempfile

from browser import Browser, Page, shown

url, link, belfry = sys.argv[1:]


def tell(step, page):
    print(json.dumps(dict(
        step=step, path=page.value("location.pathname"), text=page.value("document.body.innerText"))), flush=True)


def visit(page):
    page.call("WebAuthn.enable")
    page.call("WebAuthn.addVirtualAuthenticator", options=dict(
        protocol="ctap2", transport="internal", hasResidentKey=True, hasUserVerification=True, isUserVerified=True,
        automaticPresenceSimulation=True))
    page.open(url + link)
    page.press("Sign in")
    tell("signed in", page)
    page.open(f"{url}/access")
    page.value("document.querySelector('#f-label').value = 'laptop'")
    page.press("Add a passkey")
    tell("added", page)
    page.press("Sign out")
    page.open(f"{url}/sign-in")
    page.press("Sign in with a passkey")
    tell("signed in again", page)

    page.open(f"{url}/lists/1")
    tell("looked", page)
    subprocess.run([belfry, "add", "Milk", "-l", "Home"], check=True, capture_output=True)
    shown(page, "document.body.innerText.includes('Milk')")
    tell("saw", page)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=os.getcwd(), ignore_cleanup_errors=True) as profile:
        with Browser(profile, []) as browser:
            visit(Page(browser))
