"""Real browsers by WebDriver, each with an empty profile."""

from __future__ import annotations

import io
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from wavescope.deferred import deferred
from wavescope.errors import WavescopeError
from wavescope.pixels.images import Pixels
from wavescope.proof.views import View

if TYPE_CHECKING:
    from selenium import webdriver
    from selenium.common import exceptions
else:
    webdriver, exceptions = deferred("selenium.webdriver"), deferred("selenium.common.exceptions")

SCREEN = (1280, 900)
"""Of the window, in CSS pixels; one of them is one pixel of the screen."""
SECONDS = 120
"""For one view; longer is a failure."""

PAUSE = 0.01
"""Seconds until a page is asked again."""

BEGUN = """
window.__answer = null;
(function () { %s })(...arguments, (answer) => void (window.__answer = answer));
"""
ASKED = "return window.__answer;"
OPENED = """
const done = arguments[arguments.length - 1];
const look = () => {
  const hooks = window.__wavescope;
  if (document.querySelector("input[type=password]")) return done({ failure: "the page asks for a sign-in" });
  if (hooks?.page !== "slide") return setTimeout(look, 20);
  hooks.idle().then(async () => {
    const sharp = performance.now();
    await hooks.complete();
    done({ ...hooks.slide(), sharp, agent: navigator.userAgent, ratio: devicePixelRatio });
  }).catch((cause) => done({ failure: String(cause) }));
};
look();
"""
SHOWN = """
const [view, done] = arguments, hooks = window.__wavescope, begin = performance.now();
(async () => {
  hooks.viewport.setPlane(view.plane);
  const placed = await hooks.viewport.goTo(view.l0_x, view.l0_y, view.level);
  await hooks.idle();
  const ms = performance.now() - begin;
  done({ x: placed.ln_x, y: placed.ln_y, ms, fidelity: hooks.fidelity() });
})().catch((cause) => done({ failure: String(cause) }));
"""
PROFILE = """
const [profile, done] = arguments, { light } = window.__wavescope;
light.set({ ...light.read(), profile });
requestAnimationFrame(() => done({}));
"""
HIDDEN = """
const done = arguments[arguments.length - 1], key = { key: "Q", code: "KeyQ", shiftKey: true, bubbles: true };
let tried = 0, quiet = 0;
const look = () => {
  const notice = document.querySelector(".mantine-Notification-root");
  const hidden = document.documentElement.dataset.controls === "nothing";
  if (!hidden && tried++ % 50 === 0) document.body.dispatchEvent(new KeyboardEvent("keydown", key));
  notice?.querySelector("button").click();
  quiet = hidden && !notice ? quiet + 1 : 0;
  if (quiet > 25) return done({});
  setTimeout(look, 20);
};
look();
"""
"""The key that hides the controls, in the page: a window without the focus of its screen gets no key. It is pressed
again if the page was not ready for it. A notice says how they come back: it is closed.
"""


class BrowserFailed(WavescopeError):
    """A browser that does not start, stops answering, or does not show the slide."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")


class Window:
    """One window of a browser with the page of a slide and nothing over the picture."""

    def __init__(self, name: str, driver: Any) -> None:
        self.name, self._driver = name, driver
        driver.set_page_load_timeout(SECONDS)
        self.version = str(driver.capabilities["browserVersion"])

    def open(self, address: str) -> dict[str, Any]:
        """What the page says of the slide, and ``sharp``: milliseconds since loading began. Raises BrowserFailed."""
        self._driver.set_window_size(*SCREEN)
        self._driver.get(address)
        opened = self._answer(OPENED)
        if opened["ratio"] != 1:
            raise BrowserFailed(self.name, f"a CSS pixel is {opened['ratio']} pixels of the screen; expected 1")
        self._answer(HIDDEN)
        return opened

    def show(self, view: View) -> dict[str, Any]:
        """Waits until the view is drawn as sharp as it gets: where it lies, and the milliseconds that it took."""
        scale = 1 << view.level
        return self._answer(
            SHOWN,
            {"l0_x": view.x * scale, "l0_y": view.y * scale, "level": view.level, "plane": view.plane},
        )

    def use_profile(self, used: bool) -> None:
        """Whether the slide's colour profile is applied."""
        self._answer(PROFILE, used)

    def screen(self) -> Pixels:
        """What the window shows (height, width, 3)."""
        picture = Image.open(io.BytesIO(self._driver.get_screenshot_as_png()))
        return np.asarray(picture.convert("RGB"))

    def _answer(self, script: str, *given: Any) -> dict[str, Any]:
        """Of a script that takes what is given and, last, a function for its answer, for which it is asked again and
        again: on a busy machine WebKit loses the answers of scripts that its driver waits for.
        """
        self._driver.execute_script(BEGUN % script, *given)
        end = time.monotonic() + SECONDS
        while (answer := self._driver.execute_script(ASKED)) is None:
            if time.monotonic() > end:
                raise BrowserFailed(self.name, f"the page did not answer within {SECONDS} s")
            time.sleep(PAUSE)
        if "failure" in answer:
            raise BrowserFailed(self.name, str(answer["failure"]))
        return dict(answer)


def _chromium() -> Any:
    options = webdriver.ChromeOptions()
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program:
        options.binary_location = program
    arguments = ["--headless=new", "--force-device-scale-factor=1", "--force-color-profile=srgb", "--no-first-run"]
    arguments += ["--disable-background-networking", "--disable-quic"]
    if sys.platform == "linux" and os.geteuid() == 0:
        arguments += ["--no-sandbox", "--disable-gpu"]
    for one in arguments:
        options.add_argument(one)
    return webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))


def _firefox() -> Any:
    options = webdriver.FirefoxOptions()
    options.add_argument("-headless")
    options.set_preference("layout.css.devPixelsPerPx", "1.0")
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program:
        options.binary_location = program
    return webdriver.Firefox(options, webdriver.FirefoxService(shutil.which("geckodriver")))


def _webkit() -> Any:
    if sys.platform == "darwin":
        return webdriver.Safari()
    options = webdriver.WebKitGTKOptions()
    for one in ("/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1", "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1"):
        if os.path.exists(f"{one}/MiniBrowser"):
            options.binary_location = f"{one}/MiniBrowser"
            options.add_argument("--automation")
    return webdriver.WebKitGTK(options, webdriver.WebKitGTKService(shutil.which("WebKitWebDriver")))


BROWSERS: dict[str, Callable[[], Any]] = {"chromium": _chromium, "firefox": _firefox, "webkit": _webkit}


@contextmanager
def window(name: str) -> Iterator[Window]:
    """A new window of a browser, closed at the end. Raises BrowserFailed, also for what goes wrong in it."""
    try:
        driver = BROWSERS[name]()
    except (exceptions.WebDriverException, OSError) as cause:
        raise BrowserFailed(name, f"it does not start: {_first_line(cause)}") from cause
    try:
        yield Window(name, driver)
    except exceptions.WebDriverException as cause:
        raise BrowserFailed(name, _first_line(cause)) from cause
    finally:
        driver.quit()


def _first_line(cause: Exception) -> str:
    return (str(cause).strip() or type(cause).__name__).splitlines()[0]
