"""The review in a real browser without a screen: keys, literal text, contrast, narrow and wide."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from curation.registry import Registry
from curation.registry.people import labels_on, opinions_of
from salitrap.records import Label, Status
from tests.cli.reviewing import Served, review
from tests.curation.review.runs import ids
from tests.curation.review.texts import HOSTILE, put

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
WANTED = "SALITRAP_TEST_BROWSER" in os.environ

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not WANTED and not (CHROMIUM and DRIVER), reason="no chromium with chromium-driver; make test-browser"
    ),
]
LIGHT, DARK = "light", "dark"
CONTRAST = 4.5

# Contrast of every text with what lies behind it (WCAG 2, success criterion 1.4.3).
CONTRASTS = """
const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const rgb = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data]; };
const light = ([r, g, b]) => {
  const f = (v) => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  return .2126 * f(r) + .7152 * f(g) + .0722 * f(b); };
const behind = (one) => { for (let at = one; at; at = at.parentElement) {
  const color = rgb(getComputedStyle(at).backgroundColor);
  if (color[3] > 250) return color; } return [255, 255, 255]; };
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const one = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || !one.offsetParent || one.closest('option')) continue;
  const [a, b] = [light(rgb(getComputedStyle(one).color)), light(behind(one))].sort((x, y) => y - x);
  const text = walker.currentNode.textContent.trim().slice(0, 30);
  found.push([(a + .05) / (b + .05), `${one.tagName}.${one.className} ${text}`]);
}
return found.sort((x, y) => x[0] - y[0]).slice(0, 5);
"""


class Browser:
    """A browser at an open review."""

    def __init__(self, driver: Any, served: Served) -> None:
        self.driver, self.base = driver, f"http://127.0.0.1:{served.port}"
        driver.get(served.url)
        self.until(lambda: driver.current_url == f"{self.base}/")

    def go(self, path: str) -> None:
        self.driver.get(self.base + path)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements("css selector", selector))

    def one(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def until(self, true: Any) -> None:
        ends = time.monotonic() + 20
        while not true():
            assert time.monotonic() < ends, self.driver.current_url
            time.sleep(0.05)

    def arrives(self, part: str) -> None:
        self.until(lambda: part in self.driver.current_url)

    def complaints(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def scheme(self, name: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def width(self, pixels: int, scale: float = 1.0) -> None:
        size = {"width": pixels, "height": 900, "deviceScaleFactor": scale, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    assert CHROMIUM and DRIVER, "chromium and chromium-driver are needed"
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--lang=en",
    ):
        options.add_argument(argument)
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield opened
    opened.quit()


@pytest.fixture
def browser(driver: Any, directory: Path) -> Iterator[Browser]:
    with review(directory, "--reviewer", "Ana") as served:
        yield Browser(driver, served)


@pytest.fixture
def registry(directory: Path) -> Iterator[Registry]:
    with closing(Registry.open(directory / "registry.sqlite")) as opened:
        yield opened


def answered(registry: Registry) -> list[str]:
    """Candidates with an answer, of the commonest status of those."""
    return max((ids(registry, one) for one in (Status.STABLE, Status.NATURAL_OBVIOUS)), key=len)


def one_of_each(registry: Registry) -> list[str]:
    """One candidate of every status that there is."""
    return [found[0] for status in Status if (found := ids(registry, status))]


def test_a_queue_is_worked_through_from_the_keyboard(browser: Browser, registry: Registry) -> None:
    first, second = ids(registry, Status.NATURAL_OBVIOUS)[:2]
    browser.go("/?status=natural_obvious")
    browser.press("j", "\ue007")
    browser.arrives(first)
    browser.press("4")
    browser.arrives("did=labelled")
    assert [said.label for said in labels_on(registry, first)] == [Label.HARD_FAIL]
    browser.press("a")
    browser.arrives(f"/c/{second}")
    assert [said.told for said in opinions_of(registry, first)] == ["accepted by Ana"]
    browser.press("u")
    browser.arrives("did=undone")
    assert opinions_of(registry, first) == ()
    browser.press("j")
    browser.arrives(f"/c/{second}")
    browser.press("r")
    assert browser.driver.switch_to.active_element.tag_name == "select"
    browser.press("the trap is gone", "\ue007")
    browser.one(".rejecting button").click()
    browser.until(lambda: opinions_of(registry, second) != ())
    assert opinions_of(registry, second)[0].told == "rejected by Ana: trap lost"


def test_an_edit_from_the_keyboard(browser: Browser, registry: Registry) -> None:
    found = answered(registry)[0]
    browser.go(f"/c/{found}")
    browser.press("e")
    assert browser.driver.switch_to.active_element.get_attribute("name") == "text"
    browser.press(" Many thanks for any help with this.")
    browser.one(".editing button").click()
    browser.arrives("did=edited")
    assert browser.one(".waiting ins").text.strip() == "Many thanks for any help with this."


def test_keys_do_nothing_while_somebody_writes(browser: Browser, registry: Registry) -> None:
    found = answered(registry)[0]
    browser.go(f"/c/{found}")
    note = browser.one(".accepting textarea")
    note.click()
    note.send_keys("a plain remark: 123456 / ? u")
    assert note.get_attribute("value") == "a plain remark: 123456 / ? u"
    assert (opinions_of(registry, found), labels_on(registry, found)) == ((), ())
    browser.press("\ue00c")
    browser.press("a")
    browser.until(lambda: opinions_of(registry, found) != ())
    assert opinions_of(registry, found)[0].note == "a plain remark: 123456 / ? u"


def test_the_filter_and_the_help(browser: Browser) -> None:
    browser.press("/")
    assert browser.driver.switch_to.active_element.get_attribute("name") == "status"
    browser.press("\ue00c", "?")
    assert browser.one("#keys").is_displayed()
    browser.press("?")
    browser.until(lambda: not browser.one("#keys").is_displayed())


def test_text_is_shown_literally_and_runs_nothing(browser: Browser, registry: Registry) -> None:
    for text in HOSTILE:
        browser.go(f"/c/{put(registry, text)}")
        for place in (".prompt", ".said", ".verdicts .reason", ".tree .tag bdi"):
            assert browser.one(place).get_attribute("textContent") == text, place
        assert browser.all(".prompt script, .prompt img, .prompt b, .said a") == []
        assert browser.complaints() == []


def test_right_to_left_text_runs_from_the_right(browser: Browser, registry: Registry) -> None:
    found = put(registry, "שלום עולם")
    browser.go(f"/c/{found}")
    direction = "return getComputedStyle(document.querySelector(arguments[0])).direction"
    assert browser.driver.execute_script(direction, ".prompt") == "rtl"
    assert browser.driver.execute_script(direction, "h1") == "ltr"


def test_pages_load_without_complaint(browser: Browser, registry: Registry) -> None:
    for path in ("/", f"/c/{answered(registry)[0]}", "/agreement", "/help", "/?ui=zh", "/?ui=en"):
        browser.go(path)
    assert browser.complaints() == []


def test_contrast_is_enough_in_light_and_dark(browser: Browser, registry: Registry) -> None:
    papers = set()
    for scheme in (LIGHT, DARK):
        browser.scheme(scheme)
        for path in ("/", *(f"/c/{one_id}" for one_id in one_of_each(registry)), "/help"):
            browser.go(path)
            browser.driver.execute_script(
                "document.querySelectorAll('details').forEach(one => one.open = true)"
            )
            worst = browser.driver.execute_script(CONTRASTS)
            assert worst and worst[0][0] >= CONTRAST, (scheme, path, worst)
        papers.add(browser.driver.execute_script("return getComputedStyle(document.body).backgroundColor"))
    browser.scheme("")
    assert len(papers) == 2


def test_nothing_is_wider_than_the_screen(browser: Browser, registry: Registry) -> None:
    """Phones, and a wide screen; 640 pixels are one of 1280 at a zoom of 200 %."""
    for pixels, scale in ((320, 1.0), (390, 3.0), (640, 2.0), (1600, 1.0)):
        browser.width(pixels, scale)
        for path in ("/", f"/c/{answered(registry)[0]}", "/help", "/agreement"):
            browser.go(path)
            wide = browser.driver.execute_script("return document.documentElement.scrollWidth")
            assert wide <= pixels, (path, pixels)
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_focus_is_seen(browser: Browser) -> None:
    browser.press("j")
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert browser.driver.execute_script(outline) == "solid"


def test_it_works_without_scripts(browser: Browser, registry: Registry) -> None:
    found = answered(registry)[0]
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.go(f"/c/{found}")
        browser.one(".accepting button").click()
        browser.arrives("did=accepted")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert [said.told for said in opinions_of(registry, found)] == ["accepted by Ana"]


def test_another_page_cannot_use_the_cookie(browser: Browser, registry: Registry, tmp_path: Path) -> None:
    """A form on a page elsewhere, sent by the browser that is inside the review."""
    found = answered(registry)[0]
    page = tmp_path / "evil.html"
    page.write_text(
        f'<form method="post" action="{browser.base}/c/{found}/accept"><input name="csrf" value="x">'
        '<button id="go">go</button></form>',
        encoding="utf-8",
    )
    browser.driver.get(page.as_uri())
    browser.one("#go").click()
    browser.arrives("/accept")
    assert browser.one("body").text.startswith("403")
    assert opinions_of(registry, found) == ()
